#!/bin/sh
# Runs a `cutroom` command as the service does: as user cutroom, on /var/lib/cutroom, with /etc/cutroom/cutroom.env.
#   cutroom-service key create --company local --name studio
set -eu
umask 077
if [ "$(id -u)" != 0 ]; then
  printf 'cutroom-service: run this as root: sudo cutroom-service %s\n' "$*" >&2
  exit 1
fi
# Who is behind root, for the audit log: there all would be user cutroom's. It is root's word, who could say anything.
asked_by=${SUDO_USER:-${DOAS_USER:-$(logname 2>/dev/null || id -un)}}
case $asked_by in
  *[!A-Za-z0-9._@+\\-]*) asked_by= ;;
esac
settings=/etc/cutroom/cutroom.env
set -- /usr/lib/cutroom/bin/cutroom "$@"
if [ -r "$settings" ]; then
  # NAME=value as systemd reads it, with or without quotes; nothing in it is run. The way out of the house, where there is
  # one (a proxy, its certificate), is the service's as well. From the last line up: of two of a name the last one counts.
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
    name=${line%%=*}
    [ "$name" != "$line" ] || continue
    name=${name%"${name##*[![:space:]]}"}
    case $name in
      CUTROOM_ASKED_BY) continue ;;
      CUTROOM_[A-Z]* | HTTP_PROXY | HTTPS_PROXY | NO_PROXY | http_proxy | https_proxy | no_proxy | NODE_EXTRA_CA_CERTS) ;;
      *) continue ;;
    esac
    value=${line#*=}
    value=${value#"${value%%[![:space:]]*}"}
    # What a backslash takes away from the next character: within double quotes only what means something there.
    escaped='.'
    case $value in
      \"*\") value=${value#\"} value=${value%\"} escaped='[\\"$`]' ;;
      \'*\') value=${value#\'} value=${value%\'} escaped= ;;
    esac
    case $value in
      *\\*) [ -z "$escaped" ] || value=$(printf '%s\n' "$value" | sed "s/\\\\\\($escaped\\)/\\1/g") ;;
    esac
    set -- "$name=$value" "$@"
  done <<END
$(sed '1!G;h;$!d' "$settings")
END
fi
cd /var/lib/cutroom
exec setpriv --reuid cutroom --regid cutroom --clear-groups --no-new-privs \
  env -i PATH=/usr/bin:/bin LANG="${LANG:-C.UTF-8}" TERM="${TERM:-dumb}" HOME=/var/lib/cutroom CUTROOM_HOME=/var/lib/cutroom \
  CUTROOM_ASKED_BY="$asked_by" "$@"
