#!/bin/sh
# Everything from the lock file, for the build. No package may run a script of its own.
set -eu
npm ci --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error
