#!/bin/sh
# Usage: install.sh PYTHON EXTRAS, such as: install.sh python3 lab
# Installs the course and the extras into PYTHON's environment, in the versions of requirements.lock. The Makefile,
# Binder and the dev container all install by this script.
set -eu
cd "$(dirname "$0")/.."
python=$1
extras=$2
torch=$(sed -n 's/^\(torch==[0-9.]*\).*/\1/p' requirements.lock)
quiet=--quiet
# A terminal shows pip's progress; a log needs only the lines below.
[ -t 1 ] && quiet=
# On Linux PyPI's torch brings 3 GB of CUDA libraries; without an NVIDIA driver the CPU build does the same.
index=
if [ "$(uname -s)" = Linux ] && ! command -v nvidia-smi >/dev/null 2>&1; then
    index="--extra-index-url https://download.pytorch.org/whl/cpu"
fi
echo "Installing $torch, the largest download (about 200 MB without CUDA) ..."
# torch first and alone, so that the CPU index is asked for nothing else; where it cannot be reached, PyPI answers.
# shellcheck disable=SC2086  # no word or several
"$python" -m pip install $quiet --retries 1 --no-deps $index "$torch"
echo "Installing the course and the libraries of: $extras ..."
# shellcheck disable=SC2086
"$python" -m pip install $quiet -c requirements.lock -e ".[$extras]"
