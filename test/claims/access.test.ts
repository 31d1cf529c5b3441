import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES } from "../../config/roles.ts";
import { SET_ROLE_NAMES } from "../../config/set-roles.ts";
import { holds } from "../../core/access/access.ts";
import { isShape, type DomainParts } from "../../core/contract/endpoint.ts";
import { commonsOf } from "../../mixins/domain.mixin.ts";
import type { PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { eventually, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { inFlight } from "../in-flight.ts";
import { authenticatorAt } from "../identity/authenticator.ts";
import { Browser } from "../identity/browser.ts";
import { fill } from "../paths.ts";
import { plant, type Planted } from "../requests.ts";
import { routes } from "../routes.ts";
import { admit, as, openSet, person, type Person } from "../workspace/people.ts";

// Claim 10: endpoints by who asks. What is expected stands in access.md, a row an endpoint, for people to read; a new
// endpoint without a row fails. `UPDATE_ACCESS=1` writes the file anew: read its difference before you commit it.
//
// Each write is spoilt by a field that does not exist. Access is decided before input is looked at, so a request that
// may is refused with 400 and changes nothing, and one that may not never gets so far.

const FILE = join(import.meta.dirname, "access.md");
type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>;
/** The same as a form, with a file. */
function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set("file", new File(["spoilt"], "spoilt.txt"));
  return form;
}
/** What is asked of an endpoint: in the problem set, where the request itself says so. */
function asked({ method, path, contract }: PublishedEndpoint): [string, string, unknown] {
  const inSet = contract.within && { [contract.within.set]: planted[":problemSetId"]! };
  const said =
    inSet &&
    contract.within!.set in (method === "GET" ? (contract.query ?? {}) : isShape(contract.body) ? contract.body : {});
  const query = method === "GET" && said ? `?${new URLSearchParams(inSet)}` : "";
  const spoilt = { ...(said && inSet), no_such_field: 1 };
  // A stream that is given goes on for as long as one listens: its head tells.
  return [
    contract.returns.events ? "HEAD" : method,
    fill(path, planted, "999999") + query,
    method === "GET" ? undefined : contract.upload ? formOf(spoilt) : spoilt,
  ];
}
let at: TestWorld;
let endpoints: PublishedEndpoint[];
let planted: Planted;
const columns: [string, Ask][] = [];

beforeAll(async () => {
  at = await world();
  endpoints = (await routes()).sort((a, b) =>
    a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1,
  );
  const ann = await person(at, "ann");
  const parent = await openSet(at, ann, { name: "Corps" }),
    set = await openSet(at, ann, { name: "Division", parentId: parent }),
    elsewhere = await openSet(at, await person(at, "far"), { name: "Elsewhere" });
  planted = {
    ...(await plant(at, { problemSetId: set, parentId: parent, compartments: [], by: ann, text: "planted" })),
    ":problemSetId": set,
    "/api/problem-sets/:id": set,
    "/api/inheritance/:id": set,
    ":memberDid": ann.did,
    ":did": ann.did,
  };
  const documents = at.mesh.world.documents;
  await eventually(
    async () => (await documents.collection("gates")).count({ query: { _pendingSince: { $exists: true } } }),
    (left) => left === 0,
  );

  const roles = ["reader", "analyst", "admin", "system_admin"];
  const token = async (role: string): Promise<Ask> => {
    const bearer = await at.tokenOf(role);
    return (method, path, body) => at.http(method, path, { as: bearer, body });
  };
  const key = async (scopes: string[]): Promise<Ask> => {
    const { key: secret } = (await at.http("POST", "/api/keys", { body: { name: scopes.join(), scopes } })).body.data;
    return (method, path, body) => at.http(method, path, { as: null, body, headers: { "x-api-key": secret } });
  };
  columns.push(["stranger", (method, path, body) => at.http(method, path, { as: null, body })]);
  const nobody = new Browser(at);
  const begun = (await nobody.http("POST", "/api/auth/register", { body: { email: "unconfirmed@example.org" } })).body
    .data;
  const entered = await nobody.http("POST", "/api/auth/register/verify", { body: authenticatorAt(at).create(begun) });
  if (entered.status !== 201) throw new Error(entered.text);
  columns.push(["unconfirmed", (method, path, body) => nobody.http(method, path, { body })]);
  for (const role of roles) columns.push([role, await token(role)]);
  const signedIn = await at.http("POST", "/api/auth/login", {
    as: null,
    body: { email: "analyst-account@example.org", password: PASSWORD, session: true },
    headers: { origin: at.url },
  });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  columns.push(
    [
      "analyst's session",
      (method, path, body) => at.http(method, path, { as: null, body, headers: { cookie, origin: at.url } }),
    ],
    [
      "from another site",
      (method, path, body) =>
        at.http(method, path, { as: null, body, headers: { cookie, origin: "https://evil.example" } }),
    ],
  );
  columns.push(["key: read", await key(["read"])], ["key: write", await key(["write"])]);

  const member = async (role: string, problemSetId: string): Promise<Person> => {
    const who = await person(at, role);
    await admit(at, problemSetId, who, role);
    return who;
  };
  columns.push(["another set's", as(at, await member("deputy", elsewhere))]);
  for (const role of [...SET_ROLE_NAMES].reverse()) columns.push([`set: ${role}`, as(at, await member(role, set))]);
  const suspended = await member("planner", set);
  await as(at, ann)("POST", `/api/problem-sets/${set}/members/${suspended.did}/suspend`, {});
  columns.push(["set: suspended", as(at, suspended)]);
}, 180_000);
afterAll(() => at.stop());

/** `yes`: access was given, and the spoilt input then refused. */
function verdict({ status, body }: { status: number; body: any }): string {
  if (status === 401 || status === 404) return String(status);
  if (status === 403) return body?.error?.code === "STEP_UP_REQUIRED" ? "fresh" : "403";
  if (status >= 500) return `${status}!`;
  return "yes";
}

/** Those who must not be able to tell what lies in a problem set from what does not, but for 401. */
const OUTSIDE = ["reader", "another set's", "set: suspended"];
/** What each of them was answered, by row. */
const toldOutside = new Map<PublishedEndpoint, Set<string>>();
/** What refusals said was lacking: of which row, to whom. */
const refusals: { row: string; column: string; permit: string; role?: string; roles?: string[] }[] = [];

async function matrix(): Promise<string[]> {
  const cells = endpoints.flatMap((endpoint) => columns.map((column) => [endpoint, column] as const));
  const verdicts = await inFlight(cells, async ([endpoint, [column, ask]]) => {
    const answer = await ask(...asked(endpoint));
    if (OUTSIDE.includes(column)) {
      const { status, body } = answer;
      const told = toldOutside.get(endpoint) ?? new Set();
      toldOutside.set(endpoint, told.add(JSON.stringify([status, { ...body?.error, requestId: "" }])));
    }
    const lack = (answer.body?.error?.details ?? answer.body?.details) as { permit?: string } | undefined;
    if (answer.status === 403 && lack?.permit !== undefined)
      refusals.push({ row: `${endpoint.method} ${endpoint.path}`, column, ...lack, permit: lack.permit });
    return verdict(answer);
  });
  return endpoints.map(
    ({ method, path }, at) =>
      `| ${method} ${path} | ${verdicts.slice(at * columns.length, (at + 1) * columns.length).join(" | ")} |`,
  );
}

const TITLE = `# Who may do what, by endpoint

\`yes\`: access is given. \`401\`: sign in. \`403\`: not with this role, scope or credential. \`404\`: there is nothing, for this caller.
\`fresh\`: only with a proof of person at most five minutes old. The first columns are people who are no members of the problem set
that the records lie in: without an account, with one whose address nobody confirmed, and by platform role; then an analyst's cookie, from this site and from another; API keys of a system
administrator; members of another set and of this one.
`;

it("gives each caller what the table says, and nothing else", async () => {
  const head = [
    TITLE,
    `| | ${columns.map(([name]) => name).join(" | ")} |`,
    `|---|${columns.map(() => "---").join("|")}|`,
  ];
  const rows = await matrix();
  const text = `${[...head, ...rows].join("\n")}\n`;
  if (process.env["UPDATE_ACCESS"] || !existsSync(FILE)) writeFileSync(FILE, text);
  const expected = new Set(readFileSync(FILE, "utf8").split("\n"));
  expect(rows.filter((row) => !expected.has(row))).toEqual([]);
  // Nor does the table speak of endpoints that are not there.
  expect([...expected].filter((row) => /^\| (GET|POST|PUT|PATCH|DELETE) /.test(row) && !rows.includes(row))).toEqual(
    [],
  );
}, 300_000);

/** The table's cells, by row and column. */
const table = (): Map<string, string> =>
  new Map(
    readFileSync(FILE, "utf8")
      .split("\n")
      .map((line) => line.slice(2, -2).split(" | "))
      .flatMap(([row, ...cells]) => cells.map((cell, at) => [`${row} ${columns[at]?.[0]}`, cell] as const)),
  );

it("a refusal names the roles that the table gives access, and none beside them", () => {
  const cellOf = table();
  const untrue = refusals.flatMap(({ row, role, roles = [] }) =>
    roles
      .map((one) => (role === undefined ? one : `set: ${one}`))
      .filter((column) => cellOf.get(`${row} ${column}`) === "403")
      .map((column) => `${row}: ${column}`),
  );
  expect(untrue).toEqual([]);
  const silent = refusals.filter(({ column, roles }) => !roles?.length && !column.startsWith("key: "));
  expect(silent).toEqual([]);
  expect(refusals.filter(({ column, roles }) => roles && column === "key: read")).toEqual([]);
  expect(refusals).toContainEqual({
    row: "GET /api/admin/agents",
    column: "reader",
    permit: "platform:administer",
    roles: ["admin", "system_admin"],
  });
  expect(refusals).toContainEqual({
    row: "POST /api/problem-sets/:id/compartments",
    column: "set: observer",
    permit: "compartments:manage",
    role: "observer",
    roles: ["commander", "deputy"],
  });
});

it("lets an account whose address nobody confirmed do what strangers may, confirm it, see itself and leave", () => {
  const at = columns.findIndex(([name]) => name === "unconfirmed");
  const given = readFileSync(FILE, "utf8")
    .split("\n")
    .filter((row) => /^\| (GET|POST|PUT|PATCH|DELETE) /.test(row))
    .map((row) => row.slice(2, -2).split(" | "))
    .filter(([, ...cells]) => cells[at] !== "403" && cells[0] === "401")
    .map(([name]) => name);
  expect(given).toEqual([
    "GET /api/auth/authenticators",
    "POST /api/auth/email",
    "POST /api/auth/email/confirm",
    "POST /api/auth/logout",
    "GET /api/auth/me",
    "GET /api/auth/passkeys",
    "GET /api/auth/session",
    "DELETE /api/auth/sessions",
    "GET /api/auth/sessions",
    "DELETE /api/auth/sessions/:id",
    "POST /api/auth/step-up",
    "POST /api/auth/step-up/verify",
    "GET /api/user-profile",
    "POST /api/user-profile/erasure",
    "GET /api/user-profile/export",
  ]);
});

it("never answers a stranger, a suspended member or another set's member differently from one another inside a problem set, but for 401", () => {
  const inside = endpoints.filter(({ contract, path }) => contract.within && path.includes(":"));
  expect(inside.length).toBeGreaterThan(100);
  for (const endpoint of inside) expect([endpoint.path, ...toldOutside.get(endpoint)!]).toHaveLength(2);
});

it("turns a stranger away from all that is not public, and a reader from all that readers may not do", () => {
  const cells = table();
  const wrong = endpoints.filter(({ method, path, contract: { permit } }) => {
    const isHeld = ["public", "self", "signed-in"].includes(permit) || holds(ROLES.reader, permit);
    const cell = (column: string) => cells.get(`${method} ${path} ${column}`);
    return (permit !== "public" && cell("stranger") !== "401") || (!isHeld && cell("reader") !== "403");
  });
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

/** Every record of every domain, by collection; without what tells of a credential that it was used. */
async function everyRecord(): Promise<Map<string, string>> {
  const {
    services,
    world: { documents },
  } = commonsOf(at.mesh.broker);
  const entities = services.flatMap(({ mixins = [] }) =>
    mixins.flatMap((mixin) => (mixin as { domain?: DomainParts }).domain?.entities ?? []),
  );
  const found = new Map<string, string>();
  // What each node tells of its interfaces by a schedule is not the request's doing.
  for (const { collection } of entities.filter(({ name }) => name !== "discovery.nodes")) {
    const docs = await (await documents.collection(collection)).find({ sort: ["_id"] });
    found.set(
      collection,
      JSON.stringify(docs, (name, value) =>
        /^(lastUsedAt|lastSeenAt|seenAt|_pending.*)$/.test(name) ? undefined : value,
      ),
    );
  }
  return found;
}

it("changes no record for whoever reads, nor for a key that may only read, whatever it asks for", async () => {
  const ann = columns.find(([name]) => name === "set: commander")![1];
  const {
    body: {
      data: { key },
    },
  } = await ann("POST", "/api/keys", { name: "reading", scopes: ["read"] });
  const reading: Ask = (method, path, body) => at.http(method, path, { as: null, body, headers: { "x-api-key": key } });
  const before = await everyRecord();
  for (const endpoint of endpoints) {
    const [method, path] = asked(endpoint);
    if (method === "GET") await ann(method, path);
    const { status } = await reading(method, path, method === "GET" || method === "HEAD" ? undefined : {});
    if (!["GET", "HEAD"].includes(method) && !endpoint.contract.reads && endpoint.contract.permit !== "public")
      expect([method, path, [403, 404, 415].includes(status)]).toEqual([method, path, true]);
  }
  const after = await everyRecord();
  expect([...before.keys()].filter((name) => before.get(name) !== after.get(name))).toEqual([]);
}, 300_000);
