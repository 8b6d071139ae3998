#!/bin/sh
# Installs a release of the command `lockstep` on Linux, after a check of its sum: sh install.sh [VERSION]
#
# PREFIX              the folder that gets bin and share (default: ~/.local)
# LOCKSTEP_RELEASES   the address below which each version has its folder; a release fills it in
# LOCKSTEP_SHA256     the expected sum of the archive (default: the one in SHA256SUMS, beside it)
set -eu
releases=${LOCKSTEP_RELEASES:-@RELEASES@}
version=${1:-@VERSION@}
prefix=${PREFIX:-$HOME/.local}

fail() { echo "install.sh: $1" >&2; exit 1; }
case $releases in *@*) fail "no release is named. Set LOCKSTEP_RELEASES to the address of the releases." ;; esac
case $version in *@* | */*) fail "no version is named. Name one: sh install.sh 0.1.0" ;; esac
[ "$(uname -s)" = Linux ] || fail "there are releases for Linux only. Build the command: make install"

name=lockstep-$version-linux-$(uname -m)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
get() { curl -fsSL --retry 3 -o "$folder/$1" "$releases/$version/$1" || fail "cannot download \"$releases/$version/$1\"."; }

get "$name.tar.gz"
if [ -n "${LOCKSTEP_SHA256-}" ]; then
  echo "$LOCKSTEP_SHA256  $name.tar.gz" >"$folder/sum"
else
  get SHA256SUMS
  grep -F "  $name.tar.gz" "$folder/SHA256SUMS" >"$folder/sum" || fail "SHA256SUMS has no sum of \"$name.tar.gz\"."
fi
(cd "$folder" && sha256sum --check --status sum) || fail "\"$name.tar.gz\" has another sum than expected. Nothing was installed."

tar -C "$folder" -xzf "$folder/$name.tar.gz"
"$folder/$name/bin/lockstep" --version >/dev/null || fail "the program does not run here. Install its libraries: apt-get install libcurl4"
mkdir -p "$prefix"
cp -R "$folder/$name/bin" "$folder/$name/share" "$prefix/"
echo "Installed $prefix/bin/lockstep."
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "Add it to PATH: export PATH=\"$prefix/bin:\$PATH\"" ;; esac
