#!/bin/sh
# Only what runs in production, from the lock file. No package may run a script of its own.
set -eu
npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error "$@"
# An optional peer of the router that npm brings along, and sources that nothing here compiles.
rm -rf node_modules/typescript node_modules/@typescript
rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src
