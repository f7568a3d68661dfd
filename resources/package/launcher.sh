#!/bin/sh
# Cutroom @VERSION@ for Linux (@CPU@) in one file. This text is its beginning; Node (gzip) and everything else (a tar,
# zstd) follow it. The first start unpacks them, checked, into a folder that only you can read, beside
# ~/.cache; later starts use that. CUTROOM_CACHE=DIR puts it into DIR/cutroom. Nothing else of the machine is touched.
set -eu
umask 077

fail() {
  printf 'cutroom: %s\n' "$*" >&2
  exit 1
}

# A folder of this user's that nobody else can write to: what lies in it is run.
is_private() {
  [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ] && [ "$(stat -c %a -- "$1")" = 700 ]
}

[ "$(uname -s)-$(uname -m)" = "Linux-@MACHINE@" ] || fail "this file is for Linux on @MACHINE@, not $(uname -s) on $(uname -m)."
self=$(readlink -f -- "$0")
# Never the folder that is named itself: that may be /opt or /tmp, and this one is closed to everybody else.
parent=${CUTROOM_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}}
base=$parent/cutroom
case $base in
  /.cache/*) fail 'HOME is not set: say where to unpack with CUTROOM_CACHE=DIR.' ;;
  /*) ;;
  *) fail "CUTROOM_CACHE and XDG_CACHE_HOME have to begin with a slash; this is $parent." ;;
esac
app=$base/@VERSION@-@PAYLOAD_SHA16@

unpack() {
  mkdir -p -- "$parent" || fail "$parent cannot be made: say where to unpack with CUTROOM_CACHE=DIR."
  case $(stat -Lc %A -- "$parent") in
    ????????w[!tT]) fail "everybody can exchange what lies in $parent: say where to unpack with CUTROOM_CACHE=DIR." ;;
  esac
  if mkdir -m 700 -- "$base" 2>/dev/null; then
    # It may have a group's bit from the folder above.
    chmod ug-s -- "$base"
  elif [ ! -e "$base" ] && [ ! -L "$base" ]; then
    fail "$base cannot be made: say where to unpack with CUTROOM_CACHE=DIR."
  elif [ ! -O "$base" ] || [ -L "$base" ]; then
    fail "$base is a link or belongs to somebody else: say where to unpack with CUTROOM_CACHE=DIR."
  elif ! is_private "$base"; then
    # Whose rights they are cannot be known: it may hold another installation, which others use.
    fail "others may get into $base: chmod 700 it, if nobody else needs it, or say where to unpack with CUTROOM_CACHE=DIR."
  fi
  # What was left by starts that were cut off.
  find "$base" -maxdepth 1 -name '.unpacking.*' -mtime +0 -exec rm -rf -- {} +
  part=$(mktemp -d "$base/.unpacking.XXXXXX") || fail "$base cannot be written to."
  trap 'rm -rf -- "$part"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  [ -t 2 ] && printf 'Unpacking Cutroom @VERSION@ into %s (once)...\n' "$app" >&2
  tail -c +@NODE_AT@ -- "$self" | head -c @NODE_BYTES@ | gzip -dc >"$part/node" || fail "$self is cut off, or the disk is full."
  printf '%s  %s\n' @NODE_SHA@ "$part/node" | sha256sum -c --status || fail "$self was damaged or changed: its SHA-256 is another one."
  chmod 700 "$part/node"
  "$part/node" --version >/dev/null || fail "programs in $base cannot be run here (a disk mounted noexec, or no glibc): another place by CUTROOM_CACHE=DIR."
  cat >"$part/unpack.mjs" <<'END_OF_UNPACK'
@UNPACK@
END_OF_UNPACK
  mkdir "$part/app"
  "$part/node" "$part/unpack.mjs" --unpack "$self" @PAYLOAD_AT@ @PAYLOAD_SHA@ "$part/app" || exit 1
  mv -- "$part/node" "$part/app/bin/node"
  sync -f "$part/app" 2>/dev/null || sync
  # Whoever renames first wins; what the other unpacked is the same.
  mv -T -- "$part/app" "$app" 2>/dev/null || is_private "$app" || fail "$app cannot be made."
  rm -rf -- "$part"
  trap - EXIT INT TERM HUP
}

[ -e "$app" ] || [ -L "$app" ] || unpack
is_private "$base" ||
  fail "others may get into $base, so nothing in it is run: chmod 700 it, if nobody else needs it, or set CUTROOM_CACHE=DIR."
is_private "$app" ||
  fail "$app is not a folder that only you can write to, so nothing in it is run. Remove it, or set CUTROOM_CACHE=DIR."
exec "$app/bin/cutroom" "$@"
