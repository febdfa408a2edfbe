#!/bin/sh
# The reference of all public names, from the modules as they were built: sh Scripts/docs.sh, after a release build.
# It takes the toolchain's docc and no plugin, so no build gets slower. A broken link is an error. Parameters are
# documented where their names do not say enough, so docc's wish for all of them or none is switched off.
set -eu
cd "$(dirname "$0")/.."
build=.build/release
graphs=.build/symbol-graphs
output=.build/documentation
tools=$(dirname "$(command -v "${SWIFT:-swift}")")
if ! command -v "$tools/docc" >/dev/null; then
  echo "docs: this toolchain has no docc" >&2
  exit 69
fi
rm -rf "$graphs" "$output"
mkdir -p "$graphs"
target=$("$tools/swift" -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -1)
hdf5=$(pkg-config --cflags-only-I "${PALIMPSEST_HDF5_PC:-hdf5}" 2>/dev/null | sed 's/-I/-Xcc -I/g' || true)
# Of this package's C and of that of others.
modules=$(ls "$build"/*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap | sed 's/^/-Xcc -fmodule-map-file=/')
for module in Settings Core Strategies Personal Scenarios Metrics JSON Datasets Experiments Runs Results Launch Worker HDF5 Cube Testing Bench Command; do
  [ $module = HDF5 ] || module=Palimpsest$module
  # shellcheck disable=SC2086
  "$tools/swift-symbolgraph-extract" -module-name "$module" -I "$build/Modules" \
    $modules -I Sources/CZlib -I Sources/CHDF5 -I Sources/CCrypto \
    $hdf5 -target "$target" -minimum-access-level public -output-dir "$graphs"
done
"$tools/docc" convert --additional-symbol-graph-dir "$graphs" --fallback-display-name Palimpsest \
  --fallback-bundle-identifier palimpsest --disable-parameters-and-returns-validation --warnings-as-errors \
  --output-path "$output"
echo "docs: $output, to be shown by any web server"
