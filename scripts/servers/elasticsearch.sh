#!/usr/bin/env bash
# elasticsearch.sh DIR PORT
# One Elasticsearch node in the foreground, on loopback, without security, for tests: the distribution that Elastic publishes on
# Maven Central for integration tests. That one leaves out the module that answers GET / and most analysers; the plugin in
# elasticsearch/extras puts back what our mappings use.
# Ready when: curl -fs "http://127.0.0.1:PORT/_cluster/health?wait_for_status=yellow&timeout=60s"
# Needs JDK 21 or later (ES_JAVA_HOME names it, if it is not under /usr/lib/jvm) and Maven. ES_HEAP is its heap, 384m by default.
set -euo pipefail

version=9.5.3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
directory=$(cd "$1" && pwd)
port=$2
home=$directory/elasticsearch-$version

java_version() {
  "$1/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/.*java.specification.version = //p'
}

find_jdk() {
  local candidate
  for candidate in "${ES_JAVA_HOME:-}" /usr/lib/jvm/*; do
    if [ -x "$candidate/bin/javac" ] && [ "$(java_version "$candidate")" -ge 21 ] 2> /dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "elasticsearch.sh: no JDK 21 or later" >&2
  exit 3
}

install() {
  cd "$directory"
  mvn --batch-mode --quiet org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack \
    "-Dartifact=org.elasticsearch.distribution.integ-test-zip:elasticsearch:$version:zip" "-DoutputDirectory=$directory"
  "$jdk/bin/javac" --release 21 -nowarn -cp "$home/lib/*" -d "$directory/extras" "$here"/elasticsearch/extras/*.java
  local plugin=$home/plugins/test-extras
  mkdir -p "$plugin" "$home/config/jvm.options.d" "$home/data" "$home/logs"
  "$jdk/bin/jar" --create --file "$plugin/test-extras.jar" -C "$directory/extras" .
  cat > "$plugin/plugin-descriptor.properties" << END
name=test-extras
description=What the integration-test distribution leaves out
version=1
classname=signalmesh.test.TestExtrasPlugin
java.version=21
elasticsearch.version=$version
END
  printf -- '-Xms%s\n-Xmx%s\n' "${ES_HEAP:-384m}" "${ES_HEAP:-384m}" > "$home/config/jvm.options.d/heap.options"
  touch "$home/.installed"
}

jdk=$(find_jdk)
[ -f "$home/.installed" ] || install

# Elasticsearch refuses to run as root.
as=()
if [ "$(id -u)" = 0 ]; then
  chown -R 65534:65534 "$home"
  chmod -R o+rX "$directory"
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi

export ES_JAVA_HOME=$jdk
exec "${as[@]}" "$home/bin/elasticsearch" \
  -E discovery.type=single-node -E http.host=127.0.0.1 -E "http.port=$port" -E transport.host=127.0.0.1 \
  -E xpack.security.enabled=false -E cluster.routing.allocation.disk.threshold_enabled=false
