#!/usr/bin/env bash
# fuzz.sh URL EMAIL PASSWORD [EXAMPLES] [DIR]: Schemathesis over every operation in the API description of a running node, as a
# stranger, an account whose address nobody confirmed, and three roles, side by side, each on a ground of its own: a problem set with a
# record of each noun (fuzz/ground.py), whose ids the requests use (fuzz/hooks.py); the three roles belong to it. Those outside, who are
# mostly told the same, try FUZZ_OUTSIDE examples. No answer may be 5xx (but a documented 503 NOT_CONFIGURED) or differ from the description. What
# would end the fuzzer's own credential or mode, shut out accounts, point the model elsewhere, stop all agents or send packets goes to a
# fourth account that has nothing to lose and may do none of it. FUZZ_COVERAGE names the roles that
# also try each keyword of each schema; a role stops after FUZZ_SECONDS and says so. Needs Python 3.10 or later.
set -euo pipefail
url=$1 email=$2 password=$3 examples=${4:-5} dir=${5:-$(mktemp -d)}
mkdir -p "$dir"
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then echo "skipped: fuzzing needs Python 3.10 or later"; exit 0; fi
[ -x "$dir/venv/bin/schemathesis" ] || { python3 -m venv "$dir/venv"; "$dir/venv/bin/pip" -q install 'schemathesis==4.*'; }
PYTHONPATH=$(cd "$(dirname "$0")/fuzz" && pwd)
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=hooks FUZZ_URL=$url FUZZ_EMAIL=$email FUZZ_PASSWORD=$password
ending='^(auth\.(logOut|passwords\.change|logins\.begin|setUp|authenticators\.(end|endOthers))|user-profile\.erase|user-mode\.set|admin\.(emailDomains|blockedEmails)\.(replace|remove)|admin\.(llmSettings\.save|versions\.restore)|assistant\.emergencies\.order|discovery\.(start|resume))$'
# Goes on for as long as one listens; its stories are told in test/picture.
endless='^messages\.channels\.stream$'

as() { # role; then which operations
  local role=$1 phases=examples,fuzzing tries=$examples; shift
  case "$role" in stranger | unconfirmed) tries=${FUZZ_OUTSIDE:-2} ;; esac
  case " ${FUZZ_COVERAGE-analyst leaver} " in *" $role "*) phases=examples,coverage,fuzzing ;; esac
  FUZZ_ROLE=$role FUZZ_REPORT="$dir/$role.json" timeout --signal=INT --kill-after=240 "${FUZZ_SECONDS:-660}" "$dir/venv/bin/schemathesis" run "$url/api/openapi.json" \
    --checks no_server_error,status_code_conformance,content_type_conformance,response_schema_conformance --no-color --warnings off \
    --phases "$phases" --max-examples "$tries" --generation-deterministic --workers 1 --request-timeout 20 --suppress-health-check all \
    "$@" ${FUZZ_ARGS:-} > "$dir/$role.log" 2>&1
}

cd "$dir"
rm -f ./*.json
began=$SECONDS failed=0
declare -A running
chosen() { if [ "$1" = leaver ]; then echo "--include-operation-id-regex $ending"; else echo "--exclude-operation-id-regex $ending|$endless"; fi; }
for role in stranger unconfirmed reader analyst admin leaver; do as "$role" $(chosen "$role") & running[$role]=$!; done
for role in stranger unconfirmed reader analyst admin leaver; do
  code=0; wait "${running[$role]}" || code=$?
  # A connection that was lost is no answer: what it was asked for is asked again, all of it, and must then be answered.
  if [ "$code" = 1 ] && ! grep -qE '^=+ FAILURES =+$' "$dir/$role.log" && grep -q 'Network Error: [12]$' "$dir/$role.log"; then
    echo "as $role: a connection was lost; once more"; cp "$dir/$role.log" "$dir/$role.lost.log"
    code=0; as "$role" $(chosen "$role") || code=$?
  fi
  if [ ! -f "$dir/$role.json" ]; then echo "as $role: nothing ran"; tail -n 40 "$dir/$role.log"; failed=1; continue; fi
  python3 -c 'import json, sys; report = json.load(open(sys.argv[1])); print(report["sum"]); [print("  slow:", each) for each in report["slow"]]' "$dir/$role.json"
  if [ "$code" = 124 ]; then echo "incomplete: fuzzing as $role was stopped after ${FUZZ_SECONDS:-660} s, before the last operation"; code=0; fi
  if [ "$code" != 0 ] || grep -qE '^=+ (FAILURES|ERRORS) =+$' "$dir/$role.log"; then failed=1; tail -n 200 "$dir/$role.log"; fi
done
echo "$examples examples an operation and role, $((SECONDS - began)) s in all"
exit $failed
