#!/bin/sh
# Installs Cutroom and its models from this folder. Asks no network for anything. See README.txt.
#   sh install.sh --public-key PUBLIC.pem [--user]
#   sh install.sh --unsigned [--user]
set -eu
umask 022
fail() {
  printf 'install: %s\n' "$*" >&2
  exit 1
}
say() { printf '%s\n' "$*"; }

key='' unsigned=no user=no
while [ $# -gt 0 ]; do
  case $1 in
    --public-key)
      [ $# -ge 2 ] || fail '--public-key needs a file.'
      key=$(readlink -f -- "$2")
      shift
      ;;
    --unsigned) unsigned=yes ;;
    --user) user=yes ;;
    *) fail "$1 is not known here. Usage: sh install.sh --public-key PUBLIC.pem [--user], or --unsigned." ;;
  esac
  shift
done
cd -- "$(dirname -- "$(readlink -f -- "$0")")"

if [ -n "$key" ]; then
  command -v openssl >/dev/null || fail 'openssl is needed to check the signature, and is not installed here.'
  [ -f SHA256SUMS.sig ] || fail 'this bundle is not signed: there is no SHA256SUMS.sig. Nothing was installed.'
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig >/dev/null 2>&1 ||
    fail "SHA256SUMS is not signed by $key. Nothing was installed."
  say 'The signature is right.'
elif [ "$unsigned" = no ]; then
  fail 'say whose signature to look for: --public-key PUBLIC.pem. Without one, and only if you know where this came from: --unsigned.'
fi
sha256sum --quiet --strict --check SHA256SUMS || fail 'files were damaged or changed (named above). Nothing was installed.'
# What is not in the list was not signed, and a link is not what it leads to.
odd=$(find . ! -type f ! -type d | head -n 1)
[ -z "$odd" ] || fail "$odd is no plain file. Nothing was installed."
odd=$(find . -name '*
*' | head -n 1)
[ -z "$odd" ] || fail 'a name in the bundle has more than one line. Nothing was installed.'
find . -type f ! -name SHA256SUMS ! -name SHA256SUMS.sig | sed 's|^\./||' | while IFS= read -r file; do
  grep -qxE "[0-9a-f]{64}  $(printf '%s' "$file" | sed 's/[][\.*^$+?(){}|/]/\\&/g')" SHA256SUMS || fail "$file is not in SHA256SUMS. Nothing was installed."
done || exit 1
say 'Every file is as it was made.'

if [ "$(id -u)" = 0 ] && [ "$user" = no ] && command -v dpkg >/dev/null; then
  DEBIAN_FRONTEND=noninteractive dpkg -i ./cutroom_*.deb
  # The service's user need not be able to read where this folder is.
  import=$(mktemp -d /var/lib/cutroom/import.XXXXXX)
  trap 'rm -rf -- "$import"' EXIT
  cp -r models SHA256SUMS "$import"/
  [ ! -f SHA256SUMS.sig ] || cp SHA256SUMS.sig "$import"/
  if [ -n "$key" ]; then cp -- "$key" "$import/key.pem"; fi
  chown -R cutroom:cutroom "$import"
  if [ -n "$key" ]; then
    cutroom-service models install --from "$import" --public-key "$import/key.pem"
  else
    cutroom-service models install --from "$import"
  fi
  say 'Cutroom is installed as a service. The link that signs you in: journalctl -u cutroom | grep sign-in'
else
  folder=${XDG_BIN_HOME:-$HOME/.local/bin}
  mkdir -p -- "$folder"
  cp cutroom-linux-* "$folder/.cutroom.new"
  chmod 755 "$folder/.cutroom.new"
  mv -- "$folder/.cutroom.new" "$folder/cutroom"
  if [ -n "$key" ]; then
    "$folder/cutroom" models install --from . --public-key "$key"
  else
    "$folder/cutroom" models install --from .
  fi
  say "Cutroom is installed: $folder/cutroom serve"
fi
