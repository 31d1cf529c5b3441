#!/usr/bin/env bash
# test-mesh.sh [nodes|areas|processes [PATTERN]]
# Runs what is tested on a whole world once more on real servers, named by TRANSPORTER, MONGO_URL and ELASTICSEARCH_URL:
# `areas` with a broker for each area, all in the test's process, connected by nothing but the transporter; `processes` every story that
# can be told so with gateway and areas in processes of their own; `nodes` what is tested on several processes alone (test/mesh). All, without an argument.
# PATTERN (an extended regular expression) chooses among the suites' paths; those that fit LEAVE_OUT are left out.
# Databases and indexes are made under names of their own and removed again.
set -euo pipefail
cd "$(dirname "$0")/.."
for name in TRANSPORTER MONGO_URL ELASTICSEARCH_URL; do
  [ -n "${!name:-}" ] || { echo "test-mesh.sh: $name names no server." >&2; exit 2; }
done
jest() { node node_modules/jest/bin/jest.js ${CI:+--forceExit} "$@"; }
chosen() { printf '%s\n' "$@" | grep -E "$pattern" | grep -vE "${LEAVE_OUT:-^$}"; }
pattern=${2:-.}
# Told elsewhere on those servers (adapters), without a world (units), or slow for reasons of their own (a chain in accounts).
mapfile -t worlds < <(grep -rlE '\bworld\(|TestWorld|escrow-story' test/gateway test/identity test/workspace test/picture test/platform test/news test/claims test/core test/operations test/stories.test.ts test/contract.test.ts --include='*.test.ts' | grep -vE 'identity/accounts|passkeys-browser' | sort)
# Every story of the domain that is told through the gateway or the broker. A suite stays out whose point lies within a process: it counts or holds up the calls of a
# store, takes a timer or a service object in hand, or brings a service of its own that the mesh must know from the start. Single stories like that, in the suites below, are skipped (itInside).
# Two whole meshes side by side on a Redis of their own (identity/actors) would be twenty processes at once: they are told with areas apart.
http=(test/contract.test.ts test/stories.test.ts test/claims/{access,barriers,idempotency,injection,exposure,garbage-paths,key-scopes,rotation,smuggling,ssrf}.test.ts
  test/gateway/{asyncapi,client-address,gateway,live,mcp}.test.ts
  test/identity/{auth,authenticators,credentials/credentials,credentials/credentials-independent,credentials/credentials-sd-jwt,did/did-web,encryption,floods,identity,links,oidc,passkeys,primary-did,sessions,user-mode,user-profile}.test.ts
  test/news/{articles/articles,articles/articles-pages,articles/articles-store,escrow/escrow-administration,escrow/escrow-bounties,escrow/escrow-subscriber,ingestion,ingestion-nodes,keys,search,source-lists,sources/sources,verification/verification-records,verification/verification-service,verification/verification-work}.test.ts
  test/workspace/{activity,gates,inheritance,invitations,mdmp,problem-sets,roster,scenarios,staff}.test.ts test/workspace/dao/{dao,execution,parent-compartments}.test.ts test/picture/messages.test.ts)
failed=0
if [ "${1:-nodes}" = nodes ]; then
  # These start a Redis of their own.
  env -u TRANSPORTER node node_modules/jest/bin/jest.js ${CI:+--forceExit} --config test/mesh/jest.config.js --runInBand $(chosen test/mesh/*.test.ts) || failed=1
fi
if [ "${1:-areas}" = areas ]; then
  jest $(chosen "${worlds[@]}") || failed=1
fi
if [ "${1:-processes}" = processes ]; then
  # A world is seven processes: where others work on the machine too, they may take a minute to stand.
  APART=processes jest --testTimeout=180000 $(chosen "${http[@]}") || failed=1
fi
exit "$failed"
