#!/bin/sh
# Installs libhdf5, zlib and libcrypto with their headers where they are missing.
set -eu

# CryptoKit has SHA-256 on macOS.
crypto=libcrypto
if [ "$(uname)" = Darwin ]; then crypto=; fi

there() {
  pkg-config --exists "${PALIMPSEST_HDF5_PC:-hdf5}" zlib $crypto 2>/dev/null && return 0
  # Without pkg-config: modules of clusters set CPATH.
  printf '#include <%s>\n' hdf5.h zlib.h ${crypto:+openssl/sha.h} | "${CC:-clang}" -E -x c - >/dev/null 2>&1
}

there && exit 0

if [ "$(uname)" = Darwin ]; then
  echo "HDF5 is missing: brew install hdf5 pkg-config (this path is untried)" >&2
  brew install hdf5 pkg-config
  exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
  echo "HDF5 is missing. Install libhdf5, zlib and libcrypto (OpenSSL) with their headers, and pkg-config, then run make again." >&2
  exit 69
fi

sudo=
if [ "$(id -u)" -ne 0 ]; then
  sudo=sudo
  if [ "${CI:-}" != true ]; then
    printf 'HDF5 is missing. Run "sudo apt-get install libhdf5-dev libssl-dev zlib1g-dev pkg-config"? [y/N] ' >&2
    read -r answer || answer=n
    case $answer in
      y | Y | yes) ;;
      *) echo "Nothing was installed." >&2; exit 69 ;;
    esac
  fi
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q
$sudo apt-get install -q -y libhdf5-dev libssl-dev zlib1g-dev pkg-config
