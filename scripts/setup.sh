#!/usr/bin/env bash
# Prepares a machine for `make`: `environment` makes .venv, `chromium` finds or installs a browser, `site`
# makes the environment of `make site`, and `shells` installs those whose completion `make prove` tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

apt_install() {
  command -v apt-get >/dev/null || return 1
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || return 1
    as_root=(sudo)
  fi
  printf 'setup: installing %s with apt-get\n' "$*" >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y "$@" >&2
}

is_new_enough() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
  local candidate
  for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
    if is_new_enough "$candidate"; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

# Print the Python to use; it can make virtual environments.
require_python() {
  local python
  if ! python=$(find_python); then
    apt_install python3 || true
    python=$(find_python) || fail "Python 3.11 or newer is needed. Install it, or pass its path: make setup PYTHON=/path/to/python3"
  fi
  # On Debian, `venv` needs a separate package.
  "$python" -c 'import ensurepip' 2>/dev/null || apt_install python3-venv ||
    fail "$python cannot make virtual environments. Install its venv package."
  printf '%s\n' "$python"
}

prepare_environment() {
  local python
  python=$(require_python)
  rm -f .venv/.installed
  [ -x .venv/bin/python ] && is_new_enough .venv/bin/python || "$python" -m venv --clear .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-dev.txt
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
  touch .venv/.installed
}

prepare_site() {
  local python
  python=$(require_python)
  "$python" -m venv --clear build/site-venv
  build/site-venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-site.txt
  touch build/site-venv/.installed
}

# Searches the same places as tests/conftest.py.
has_chromium() {
  local candidate
  for candidate in "${VIEWPOINT_MCP_EXECUTABLE:-}" "${CHROMIUM_PATH:-}"; do
    [ -n "$candidate" ] && [ -x "$candidate" ] && return
  done
  for candidate in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$candidate" >/dev/null && return
  done
  [ -x "/Applications/Chromium.app/Contents/MacOS/Chromium" ] ||
    [ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ]
}

prepare_chromium() {
  has_chromium && return
  apt_install chromium || true
  has_chromium || fail "No Chromium was found, and apt-get could not install it. \
Install Chromium or Chrome, or set its path: export VIEWPOINT_MCP_EXECUTABLE=/path/to/chromium"
}

has_shells() {
  command -v zsh >/dev/null && command -v fish >/dev/null
}

prepare_shells() {
  has_shells && return
  apt_install zsh fish || true
  has_shells || fail "zsh or fish is missing, and apt-get could not install it. Install both."
}

case "${1:-}" in
environment | chromium | site | shells) "prepare_$1" ;;
*) fail "Pass environment, chromium, site or shells." ;;
esac
