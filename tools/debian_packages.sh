#!/bin/sh
# Usage: debian_packages.sh COMMAND:PACKAGE...
# Installs the Debian packages whose commands are missing, where that is possible without asking: as root, with apt.
# Elsewhere it names the command to type and goes on: the tests that need a package skip with their reason.
set -eu
missing=""
for pair in "$@"; do
    command=${pair%%:*}
    package=${pair#*:}
    if ! command -v "$command" >/dev/null 2>&1; then
        missing="$missing $package"
    elif [ "$package" = python3-venv ] && ! "$command" -c "import ensurepip" >/dev/null 2>&1; then
        missing="$missing $package"
    fi
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086  # one word per package
    apt-get install -qq -y --no-install-recommends $missing >/dev/null
else
    echo "Not installed here:$missing. On Debian or Ubuntu: sudo apt install$missing"
fi
