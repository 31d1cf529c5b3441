#!/usr/bin/env bash
# mongo-java.sh DIR PORT
# mongo-java-server in the foreground, on loopback, for tests: the MongoDB protocol over data in memory, with an oplog.
# MONGO_HEAP is its heap, 1g by default: the oplog stays in it, and the whole test suite fills 384 MB.
# Says READY when it listens. Needs JDK 17 or later and Maven; downloads its libraries into DIR the first time.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
directory=$1
port=$2
mkdir -p "$directory"
cd "$directory"

if [ ! -f classes/TestServer.class ]; then
  mvn --batch-mode --quiet --file "$here/mongo-java/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies "-DoutputDirectory=$PWD/libraries"
  javac -cp 'libraries/*' -d classes "$here/mongo-java/TestServer.java"
fi

exec java "-Xmx${MONGO_HEAP:-1g}" -XX:+UseSerialGC -cp 'libraries/*:classes' TestServer "$port"
