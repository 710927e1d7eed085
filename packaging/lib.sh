# SPDX-License-Identifier: Apache-2.0
# Shared by packaging/run, packaging/test and .ci/run: what Debian 12 must have, and how to get it. Sourced, not run.

FS_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

FS_BUILD_PACKAGES=(
  g++ cmake ninja-build ccache git ca-certificates python3
  qt6-base-dev qt6-tools-dev qt6-l10n-tools qt6-tools-dev-tools qt6-svg-dev libqcustomplot-dev
  libqt6sql6-sqlite libsqlite3-dev libcurl4-openssl-dev nlohmann-json3-dev libfmt-dev libspdlog-dev
  libcli11-dev libeigen3-dev libzstd-dev zlib1g-dev fonts-dejavu-core
)

fs_say() { printf '[foresight] %s\n' "$*" >&2; }
fs_fail() { printf '[foresight] error: %s\n' "$*" >&2; exit 1; }

fs_missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s\n' "$package"
  done
}

# fs_install PACKAGE...: installs what is missing with apt-get, as root or through sudo.
fs_install() {
  command -v dpkg-query >/dev/null || fs_fail "this script installs packages with apt-get and needs Debian 12 or a relative; see CONTRIBUTING.md for what to install by hand"
  local missing
  mapfile -t missing < <(fs_missing_packages "$@")
  if [ ${#missing[@]} -eq 0 ]; then
    fs_say "all ${#} packages are there"
    return
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fs_fail "packages are missing (${missing[*]}) and installing them needs root: run this once as root, or install sudo"
    as_root=(sudo)
  fi
  fs_say "installing ${#missing[@]} packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -q >/dev/null || fs_fail "apt-get update failed; is the network there?"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null ||
    fs_fail "apt-get could not install: ${missing[*]}"
}

# fs_build PRESET [TARGET...]: configures when needed and builds.
fs_build() {
  local preset=$1 log
  shift
  log=$(mktemp)
  fs_say "configuring ($preset)"
  (cd "$FS_ROOT" && cmake --preset "$preset") >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; fs_fail "cmake could not configure; the log is above"; }
  grep -E 'headers: none|not found' "$log" | sed 's/^-- /[foresight] /' >&2 || true
  rm -f "$log"
  fs_say "building (the first time takes some minutes)"
  (cd "$FS_ROOT" && cmake --build "build/$preset" ${1:+--target "$@"}) >&2 || fs_fail "the build failed; the compiler's message is above"
}
