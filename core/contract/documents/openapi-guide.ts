import { MOST_ROWS } from "../../records/entity.ts";
import { TOTAL_BOUND } from "../../records/reading/search.ts";

/** What holds of all endpoints, in Markdown, for who writes a client; its first paragraph says what this is. */
export const GUIDE = paragraphs(`News intelligence and an operations platform behind one gateway.

**Values.** Ids are numbers for sources, source lists, articles, briefings and claims, and UUIDv7 text elsewhere. Times
are ISO 8601: sent with any offset, answered in UTC. Fields and parameters that are not declared are refused. In a
change an absent field stays as it is, and \`null\` clears one.

**Signing in.** A person's token comes from \`POST /api/auth/login\` and holds for seven days; there is none to renew it,
sign in again. A program has a key (\`POST /api/keys\`), sent as \`X-API-Key\`: it needs the scope \`read\` for a GET and
\`write\` for what changes something, and, where its scopes name domains, the one in \`x-permit\` of the endpoint
(\`articles:read\`; else that of its tag). \`x-step-up\`: whoever signed in more than five minutes ago has to do so again.
Pages of other origins cannot call it (there is no CORS): let them go by a server of yours. Under the cookie of a session
only pages of this origin may change anything.

**Errors.** \`{error: {code, message, details?, requestId}}\`; of verification and keys \`{success: false, error, code,
requestId, details?}\`. Programs go by \`code\`, which stays; \`details\` of \`VALIDATION_ERROR\` are \`{path, message}\`, one
for each field. What you may not see is 404, as if it were not there. \`requestId\` is in the header \`X-Request-Id\` of
every answer, and yours where you send one.

**Lists.** \`page\` counts from 1, \`limit\` is at most ${MOST_ROWS}, and \`Link\` with \`rel="next"\` leads on until there is
no more. \`meta.total\` counts to ${TOTAL_BOUND}; beyond, \`meta.more\` is there. What is written meanwhile moves the pages
behind it: by \`sort=createdAt\` what is new comes last. Where a list has a \`cursor\`, it is \`meta.next\` of the answer
before, and null ends it.

**Writes.** A POST under an \`Idempotency-Key\` takes effect once in 24 hours: repeated it has the same answer, with
\`Idempotency-Replayed: true\`; with another body it is 409. A single record comes with an \`ETag\`; a change that sends
it as \`If-Match\` is 412 where somebody was faster.

**Limits.** \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (seconds since 1970) come with each answer that counts. 429
and 503 say in \`Retry-After\` how many seconds to wait; then send the same again, a POST under the same
\`Idempotency-Key\`. Where news, keys and \`/api/auth/login\` answer 429 it is \`{success: false, error: "Rate limit exceeded",
retryAfter}\`; elsewhere it is an error like the others and says what there was too much of. A 503 \`NOT_CONFIGURED\` has
no \`Retry-After\`: it lasts until an administrator sets what is missing.

**Beside it.** What is pushed to you: \`webhooks\` below, and sockets and event streams in \`/api/asyncapi.json\`. Agents
speak MCP at \`/mcp\` (\`/mcp?domains=missions,gates\` offers the tools of these domains alone), or Agent2Agent by
\`/.well-known/agent-card.json\`.`);

/** A line a paragraph: readers that know no Markdown keep line breaks. */
function paragraphs(text: string): string {
  return text.replace(/([^\n])\n(?!\n)/g, "$1 ");
}
