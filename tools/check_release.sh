#!/bin/sh
# Usage: check_release.sh VERSION, such as: check_release.sh 1.2.3
# Refuses a release whose links lead nowhere, or of which the changelog says nothing. The release workflow calls it.
set -eu
cd "$(git rev-parse --show-toplevel)"
# In two parts, so that this file is not among those that it finds.
placeholder=YOUR"-ORGANISATION"
status=0
git grep -n -I "$placeholder" || status=$?
case $status in
0)
    echo "These lines still name no organisation, so their links lead nowhere. Put the name of yours in all of them:" \
        "git grep -l $placeholder | xargs perl -pi -e s/$placeholder/NAME/" >&2
    exit 1
    ;;
1) ;; # found nowhere
*) exit "$status" ;;
esac
grep -q --fixed-strings "## [$1]" CHANGELOG.md || {
    echo "CHANGELOG.md has no heading ## [$1]: say there what this version brings." >&2
    exit 1
}
