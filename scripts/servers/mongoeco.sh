#!/usr/bin/env bash
# mongoeco.sh DIR PORT
# mongoeco in the foreground, on loopback, for tests: the MongoDB protocol (dialect 8.0) over data in memory, with transactions.
# Says READY when it listens. Needs Python 3.13 or later (PYTHON names it, if it is not on the path).
# It grows slow with bulks of a thousand documents and more.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
directory=$1
port=$2
mkdir -p "$directory"

is_new_enough() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 13))' > /dev/null 2>&1
}

find_python() {
  local candidate
  for candidate in "${PYTHON:-}" python3.14 python3.13 python3 "$HOME"/.pyenv/versions/3.1[3-9]*/bin/python3; do
    if [ -n "$candidate" ] && is_new_enough "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  echo "mongoeco.sh: no Python 3.13 or later" >&2
  exit 3
}

if [ ! -x "$directory/venv/bin/python" ]; then
  python=$(find_python)
  "$python" -m venv "$directory/venv"
  "$directory/venv/bin/pip" install --quiet 'mongoeco[wire]==4.11.0'
fi

exec "$directory/venv/bin/python" "$here/mongoeco/server.py" "$port"
