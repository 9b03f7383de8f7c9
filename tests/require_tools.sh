#!/usr/bin/env bash
# Sees to what the tests need beside Python: node, a Chromium for the browser tests, a Redis server, and nginx.
# Installs Debian's package where it may (root, apt-get); else says what is missing and fails.
set -euo pipefail

present() {
    local name
    for name in "$@"; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    return 1
}

# require PACKAGE COMMAND...: one of the commands, which Debian's PACKAGE brings.
require() {
    local package=$1
    shift
    present "$@" && return 0
    if [ "$(id -u)" = 0 ] && present apt-get; then
        echo "installing $package"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null
    fi
    present "$@" && return 0
    echo "missing: $* (Debian: apt-get install $package). The tests cannot run without it." >&2
    return 1
}

require nodejs node
require chromium-headless-shell chromium-headless-shell 2>/dev/null || require chromium chromium chromium-browser
require redis-server redis-server
require nginx-light nginx /usr/sbin/nginx
