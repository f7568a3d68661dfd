#!/bin/sh
# Runs a `cutroom` command as the service does: as user cutroom, on /var/lib/cutroom, with /etc/cutroom/cutroom.env.
#   cutroom-service key create --company local --name studio
set -eu
umask 077
if [ "$(id -u)" != 0 ]; then
  printf 'cutroom-service: run this as root: sudo cutroom-service %s\n' "$*" >&2
  exit 1
fi
settings=/etc/cutroom/cutroom.env
set -- /usr/lib/cutroom/bin/cutroom "$@"
if [ -r "$settings" ]; then
  # NAME=value as systemd reads it; nothing in it is run.
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      CUTROOM_[A-Z]*=*) set -- "$line" "$@" ;;
    esac
  done <"$settings"
fi
cd /var/lib/cutroom
exec setpriv --reuid cutroom --regid cutroom --clear-groups --no-new-privs \
  env -i PATH=/usr/bin:/bin LANG="${LANG:-C.UTF-8}" TERM="${TERM:-dumb}" HOME=/var/lib/cutroom CUTROOM_HOME=/var/lib/cutroom "$@"
