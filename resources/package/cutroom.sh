#!/bin/sh
# Runs the Cutroom that this file lies in, on the Node that came with it.
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/node" "$here/../server/cli/bin.mjs" "$@"
