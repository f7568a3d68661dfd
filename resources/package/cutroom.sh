#!/bin/sh
# Runs the Cutroom that this file lies in, on the Node that came with it.
here=$(dirname -- "$(readlink -f -- "$0")")
# Whether the loss of the terminal is ignored, as nohup has it: Node forgets that when it starts. SIGHUP is the lowest bit.
export CUTROOM_IGNORES_HANGUP=
if [ -r /proc/$$/status ]; then
  while read -r name value; do
    case $name$value in
      SigIgn:*[13579bdf]) CUTROOM_IGNORES_HANGUP=1 ;;
      SigIgn:*) CUTROOM_IGNORES_HANGUP=0 ;;
    esac
  done </proc/$$/status
fi
exec "$here/node" "$here/../server/cli/bin.mjs" "$@"
