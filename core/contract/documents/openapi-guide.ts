import { MOST_ROWS } from "../../records/entity.ts";
import { TOTAL_BOUND } from "../../records/reading/search.ts";

/** Rules common to all endpoints, in Markdown, for authors of clients; the first paragraph introduces the API. */
export const GUIDE = paragraphs(`News intelligence and an operations platform behind one gateway.

**Values.** Ids are numbers for sources, source lists, articles, briefings and claims, and UUIDv7 text elsewhere. Times
are ISO 8601: sent with any offset, answered in UTC. Undeclared fields and parameters are refused. In a change, an absent
field stays as it is, and \`null\` clears it.

**Signing in.** A person's token comes from \`POST /api/auth/login\` and is valid for seven days; to renew it, sign in
again. A program has a key (\`POST /api/keys\`), sent as \`X-API-Key\`: it needs the scope \`read\` for a GET and \`write\`
for changes and, if its scopes name domains, the endpoint's own in \`x-permit\` (\`articles:read\`; else that of its tag).
\`x-step-up\`: people who signed in more than five minutes ago must sign in again. Pages of other origins cannot call the
API (there is no CORS): call it through a server of yours. With a session cookie, only pages of this origin may change
anything.

**Errors.** \`{error: {code, message, details?, requestId}}\`; for verification and keys \`{success: false, error, code,
requestId, details?}\`. Programs should use \`code\`, which is stable; \`details\` of \`VALIDATION_ERROR\` are \`{path,
message}\`, one for each field. What you may not see is 404, as if it did not exist. Every answer has its \`requestId\` in
the header \`X-Request-Id\`; if you send one, it is used.

**Lists.** \`page\` counts from 1, \`limit\` is at most ${MOST_ROWS}, and \`Link\` with \`rel="next"\` is present until the
last page. \`meta.total\` counts up to ${TOTAL_BOUND}; beyond that, \`meta.more\` is present. Records added meanwhile shift
later pages: with \`sort=createdAt\` new ones come last. Where a list has a \`cursor\`, send \`meta.next\` of the previous
answer; null means the end.

**Writes.** A POST with an \`Idempotency-Key\` takes effect once in 24 hours: a repetition gets the same answer, with
\`Idempotency-Replayed: true\`; with another body it gets 409. A single record comes with an \`ETag\`; a change that sends
it as \`If-Match\` gets 412 if somebody else was faster.

**Limits.** Every counted answer has \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (seconds since 1970). 429 and 503
have a \`Retry-After\` in seconds: wait, then send the same request again, a POST with the same \`Idempotency-Key\`. A 429
of news, keys and \`/api/auth/login\` is \`{success: false, error: "Rate limit exceeded", retryAfter}\`; elsewhere it is an
error like the others and says which limit was reached. A 503 \`NOT_CONFIGURED\` has no \`Retry-After\`: it lasts until an
administrator configures what is missing.

**Other interfaces.** Events pushed to you: \`webhooks\` below, and sockets and event streams in \`/api/asyncapi.json\`.
Agents use MCP at \`/mcp\` (\`/mcp?domains=missions,gates\` offers only the tools of these domains), or Agent2Agent through
\`/.well-known/agent-card.json\`.`);

/** One line for each paragraph: clients without Markdown would keep line breaks. */
function paragraphs(text: string): string {
  return text.replace(/([^\n])\n(?!\n)/g, "$1 ");
}
