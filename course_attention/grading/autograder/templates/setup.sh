#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image: it installs Python, what the course needs, and the sandbox.
set -euo pipefail

apt-get update
apt-get install --yes --no-install-recommends bubblewrap ca-certificates curl
curl --fail --location --silent --show-error https://astral.sh/uv/install.sh |
    env UV_INSTALL_DIR=/usr/local/bin INSTALLER_NO_MODIFY_PATH=1 sh

# Not below /root: a submission runs as a user who may not read there.
export UV_PYTHON_INSTALL_DIR=/opt/python
uv venv --python "$(cat /autograder/source/python-version.txt)" /opt/course
uv pip install --python /opt/course/bin/python --torch-backend cpu --requirement /autograder/source/requirements.txt
