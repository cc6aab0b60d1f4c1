#!/bin/sh
# The production build, and beside it in ./image what the final stage copies.
set -eu
node scripts/run.mjs build
node scripts/container/collect.mjs image
