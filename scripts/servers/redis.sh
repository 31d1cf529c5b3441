#!/usr/bin/env bash
# redis.sh DIR PORT
# A Redis server in the foreground, on loopback, for tests. Keeps nothing on disk unless REDIS_ARGS says so.
# Needs redis-server; on Debian it is installed where it is missing and the user may do so.
set -euo pipefail

directory=$1
port=$2
mkdir -p "$directory"

if ! command -v redis-server > /dev/null; then
  apt-get install -y -qq redis-server > /dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq redis-server > /dev/null; }
fi

# REDIS_ARGS holds several arguments, so it is split at its spaces.
read -r -a arguments <<< "${REDIS_ARGS:-}"
[ ${#arguments[@]} -gt 0 ] || arguments=(--save "" --appendonly no)

exec redis-server --bind 127.0.0.1 --port "$port" --dir "$directory" "${arguments[@]}"
