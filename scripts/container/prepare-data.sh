#!/bin/sh
# The one folder that may be written, owned by the account that the app runs as.
set -eu
folder=${1:-/data}
mkdir -p "$folder"
chown "${2:-node:node}" "$folder"
chmod 750 "$folder"
