#!/bin/sh
# sh Scripts/as-user.sh [FILTER]: runs the built tests as a user whom the system refuses something: what the permissions of
# files and folders decide, root never meets. Whoever is not root runs them as he is. Without a filter: the tests of the tool
# and of whatever reads and writes files.
set -eu
cd "$(dirname "$0")/.."
filter=${1:-PalimpsestCommandTests|PalimpsestCubeTests|HDF5Tests|PalimpsestDatasetsTests|FilesTests|ResultsFolder|Journal|Generation|Runner|Checkpoint}
tests=$PWD/.build/release/palimpsestPackageTests.xctest
[ -x "$tests" ] || { echo "not tested: $tests is not there; make test builds it"; exit 1; }

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
as=
if [ "$(id -u)" -eq 0 ]; then
  command -v setpriv >/dev/null 2>&1 || { echo "not tested: that takes setpriv (util-linux)"; exit; }
  user=$(id -u nobody)
  group=$(id -g nobody)
  as="setpriv --reuid=$user --regid=$group --clear-groups --no-new-privs"
  chown "$user:$group" "$home"
  $as test -x "$tests" -a -r Package.swift || {
    echo "not tested: nobody may not look into $PWD; another user than root can run make test there"
    exit
  }
fi

status=0
cd "$home"
env -u PALIMPSEST_TIER HOME="$home" TMPDIR="$home" $as "$tests" --testing-library swift-testing --filter "$filter" \
  >"$home/log" 2>&1 </dev/null || status=$?
if [ "$status" -ne 0 ]; then grep -E '^(✘|↳|.*Fatal error:)' "$home/log" | tail -n 60 || tail -n 20 "$home/log"; fi
echo "as $(${as:-env} id -un): $(tail -n 1 "$home/log")"
exit "$status"
