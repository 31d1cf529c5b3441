#!/usr/bin/env bash
# fuzz.sh URL EMAIL PASSWORD [EXAMPLES] [DIR]: Schemathesis over the API description of a running node, as three roles. No answer may
# be 5xx or differ from the description. Calls that end the fuzzer's own credential are left out, by name. Needs Python 3.10 or later.
set -euo pipefail
url=$1 email=$2 password=$3 examples=${4:-5} dir=${5:-$(mktemp -d)}
mkdir -p "$dir"
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then echo "skipped: fuzzing needs Python 3.10 or later"; exit 0; fi
[ -x "$dir/venv/bin/schemathesis" ] || { python3 -m venv "$dir/venv"; "$dir/venv/bin/pip" -q install 'schemathesis==4.*'; }
post() { curl -fsS -X POST "$url$1" -H 'content-type: application/json' "${@:3}" -d "$2"; }
token() { post /api/auth/login "{\"email\":\"$1\",\"password\":\"$password\"}" | python3 -c 'import json,sys; print(json.load(sys.stdin)["data"]["token"])'; }
admin=$(token "$email")
for role in reader analyst; do
  post /api/auth/users "{\"email\":\"fuzz-$role@example.org\",\"role\":\"$role\",\"password\":\"$password\"}" -H "authorization: Bearer $admin" > /dev/null 2>&1 || true
done
failed=0
for role in reader analyst admin; do
  case $role in admin) bearer=$admin ;; *) bearer=$(token "fuzz-$role@example.org") ;; esac
  echo "-- as $role, $examples examples an operation"
  "$dir/venv/bin/schemathesis" run "$url/api/openapi.json" -H "Authorization: Bearer $bearer" \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
    --phases examples,coverage,fuzzing --max-examples "$examples" --generation-deterministic --workers 1 --request-timeout 20 --suppress-health-check all \
    --exclude-operation-id auth.logout --exclude-operation-id auth.changePassword --exclude-operation-id auth.login --exclude-operation-id auth.setup \
    ${FUZZ_ARGS:-} > "$dir/$role.log" 2>&1 || { failed=1; tail -n 120 "$dir/$role.log"; }
  grep -E '^ *(API Operations|Test cases|Selected|Tested|Failures|Errors)|generated|passed|failed' "$dir/$role.log" | tail -8 || true
done
exit $failed
