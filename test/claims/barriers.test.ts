import fc from "fast-check";
import { z } from "zod";
import { iso } from "../../core/clock.ts";
import { isShape } from "../../core/contract/endpoint.ts";
import { live, liveType } from "../../core/contract/live.ts";
import type { PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { eventually, TestClock, world, type TestWorld } from "../mesh.ts";
import { connect, type Client } from "../gateway/live-setup.ts";
import { inFlight } from "../in-flight.ts";
import { fill } from "../paths.ts";
import { contradict, putUpPicture } from "../picture/cop.requests.ts";
import { plant, type Planted } from "../requests.ts";
import { routes } from "../routes.ts";
import { ID, lyingIn, namedBy, written, type Written } from "../written.ts";
import { admit, as, openSet, type Person, persons } from "../workspace/people.ts";

// Claim 10, non-interference: what lies in a compartment changes nothing that whoever is not read into it can reach.
// Everything a reader can read is read, secrets are planted, and everything is read again at the same instant: byte for
// byte the same.

/** Stands still, so that an answer that names the present says the same twice. */
class StillClock extends TestClock {
  override readonly stands = true;
  #at = Date.now();
  override now(): number {
    return this.#at;
  }
  override advance(milliseconds: number): void {
    this.#at += milliseconds;
  }
}

let at: TestWorld;
let clock: StillClock;
let all: PublishedEndpoint[], reads: PublishedEndpoint[];
let ann: Person, red: Person, blue: Person, low: Person;
let set: string, parent: string;
const compartments: Record<string, string> = {};
/** The readers' sockets, subscribed to the set and its parent. */
const sockets = new Map<Person, Client>();

const CANARY = "quetzalcoatl";
const WORLDS = Number(process.env["BARRIER_WORLDS"] ?? 2);

/** What a reader reads: every GET, and the POSTs that only ask. */
const isRead = ({ method, contract }: PublishedEndpoint): boolean =>
  (method === "GET" && contract.returns.body !== undefined) ||
  (contract.reads === true && contract.permit === "signed-in");
/** Answers that differ from one moment to the next for reasons of their own. */
const RESTLESS = new Set(["/api/auth/sessions", "/api/health"]);

beforeAll(async () => {
  clock = new StillClock();
  at = await world({}, { clock });
  all = await routes();
  reads = all.filter((route) => isRead(route) && !RESTLESS.has(route.path));
  [ann, red, blue, low] = await persons(at, "ann", "red", "blue", "low");
  parent = await openSet(at, ann, { name: "Corps" });
  set = await openSet(at, ann, { name: "Division", parentId: parent });
  for (const id of [set, parent]) {
    await admit(at, id, red, "commander");
    await admit(at, id, blue, "deputy");
    await admit(at, id, low, "observer");
  }
  for (const name of ["red", "blue", "green"]) {
    compartments[name] = (
      await as(at, ann)("POST", `/api/problem-sets/${set}/compartments`, { name: `${name} ${CANARY}` })
    ).body.data.id;
    for (const who of name === "blue" ? [red, blue] : [red])
      await as(at, ann)("POST", `/api/problem-sets/${set}/compartments/${compartments[name]}/members`, {
        did: who.did,
      });
  }
  // Whoever may be told is told of everything, and everything that waits is escalated at once to whoever commands.
  for (const id of [set, parent]) {
    for (const who of [ann, red, blue])
      await as(at, who)("POST", `/api/problem-sets/${id}/subscriptions`, { kinds: ["*"] });
    for (const [about, state] of [
      ["gate", "open"],
      ["mission", "draft"],
      ["rfi", "open"],
      ["proposal", "open"],
    ])
      await as(at, ann)("POST", `/api/problem-sets/${id}/escalation-rules`, {
        name: "At once",
        condition: { about, state },
        delayMinutes: 0,
        target: { role: "commander" },
      });
  }
  for (const who of [ann, red, blue, low]) {
    const client = await connect(at.url, { auth: { token: who.token } });
    for (const problemSetId of [set, parent]) expect(await client.subscribe({ problemSetId })).toEqual({ ok: true });
    sockets.set(who, client);
  }
}, 300_000);
afterAll(async () => {
  for (const { socket } of sockets.values()) socket.close();
  await at.stop();
});

const Mark = liveType("test.mark", {
  domain: "tests",
  summary: "A mark that comes after whatever was sent before",
  payload: z.object({ text: z.string() }),
});
let marks = 0;
/** Everything that a socket was told, once a mark sent now has come: what has not come by then will not come. */
async function toldOn(who: Person): Promise<string[]> {
  const [client, text] = [sockets.get(who)!, `mark ${++marks}`];
  await live(at.mesh, { event: Mark, to: { userId: who.userId }, data: { text } });
  await eventually(() => client.of("test.mark").some(({ data }) => data.text === text), Boolean);
  return client.told.filter(({ event }) => event !== "test.mark").map((one) => JSON.stringify(one));
}

/** The ids of the sets and people, beside what was planted. */
const known = (planted: Planted): Planted => ({
  ":problemSetId": set,
  "/api/problem-sets/:id": set,
  "/api/inheritance/:id": set,
  ":memberDid": red.did,
  ":did": red.did,
  ...planted,
  // One that has readers: what is counted there is to be compared.
  "/api/problem-sets/:id/compartments/:cid": compartments["blue"]!,
});

/** What some reads cannot do without. */
const NEEDED: Record<string, string> = { "/api/dao/:daoId/voting-address": `?address=0x${"1".repeat(40)}` };

const variants = ({ contract, method, path }: PublishedEndpoint): string[] => {
  const query = contract.query ?? {};
  if (NEEDED[path]) return [NEEDED[path]];
  const own = "problemSetId" in query ? [`?problemSetId=${set}`] : [];
  if (method === "POST") return ["", ...own];
  const asked = ["", ...own, ...moments(query)];
  if (!("limit" in query)) return asked;
  return [
    ...asked,
    "?limit=1",
    ...("page" in query ? ["?limit=2&page=2"] : []),
    ...("direction" in query ? ["?direction=received"] : []),
    ...(contract.within ? narrowed(query) : []),
  ];
};

/** Asked as it was at a moment, or since or until it: this one, at which the secrets are planted. */
const moments = (query: z.ZodRawShape): string[] =>
  Object.keys(query)
    .filter((name) => /^(at|since|from|to|changedSince)$/.test(name))
    .map((name) => `?${"problemSetId" in query ? `problemSetId=${set}&` : ""}${name}=${iso(clock.now())}`);

/** Names of parameters that take words to look for. */
const WORDS = /^(q|query|search|text|term|name)$/;
/** Each filter and each order that a list knows, one at a time; words to look for are the secret's own. */
function narrowed(query: z.ZodRawShape): string[] {
  return Object.entries(query)
    .filter(([name]) => !["page", "limit", "cursor", "direction"].includes(name))
    .flatMap(([name, field]) => {
      const schema = z.toJSONSchema(field as z.ZodType, { io: "input", unrepresentable: "any" }) as {
        enum?: unknown[];
        const?: unknown;
        type?: string;
      };
      const values = schema.enum ?? (schema.type === "boolean" ? [true, false] : WORDS.test(name) ? [CANARY] : []);
      return values.slice(0, 6).map((value) => `?limit=2&${name}=${encodeURIComponent(String(value))}`);
    });
}
const MOST_PAGES = 4;
const bodyOf = ({ method, contract }: PublishedEndpoint): unknown =>
  method === "GET"
    ? undefined
    : !isShape(contract.body)
      ? {}
      : "problemSetIds" in contract.body
        ? { problemSetIds: [set, parent] }
        : "problemSetId" in contract.body
          ? { problemSetId: set }
          : "choice" in contract.body
            ? { choice: "for" }
            : {};

/**
 * Everything that somebody reads: status, what the headers tell of the content, and the body without the request's id.
 */
async function everything(who: Person, planted: Planted): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  await inFlight(
    reads.flatMap((read) => variants(read).map((query) => [read, query] as const)),
    async ([read, query]) => {
      for (const ids of "/api/inheritance/:id" in planted || !read.path.startsWith("/api/inheritance/:id")
        ? [planted]
        : [planted, { ...planted, "/api/inheritance/:id": parent }]) {
        const path = fill(read.path, known(ids)) + query;
        const { status, headers, text, body } = await as(at, who)(read.method, path, bodyOf(read));
        seen.set(
          `${read.method} ${path}`,
          `${status} ${headers.get("etag")} ${headers.get("link")} ${text.replace(/"requestId":"[^"]*"/, "")}`,
        );
        let next = query === "?limit=1" && read.contract.within ? body?.meta?.next : undefined;
        for (let page = 2; next && page <= MOST_PAGES; page++) {
          const more = await as(at, who)(read.method, `${path}&cursor=${encodeURIComponent(next)}`);
          seen.set(`${read.method} ${path}, page ${page} by cursor`, `${more.status} ${more.text}`);
          next = more.body?.meta?.next;
        }
      }
    },
  );
  return seen;
}

const differing = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before]
    .filter(([path, answer]) => after.get(path) !== answer)
    .map(([path, answer]) => `${path}\n  before ${answer.slice(0, 400)}\n  after  ${after.get(path)?.slice(0, 400)}`);

/** Waits until facts told by what was planted have been heard everywhere. */
async function settled(): Promise<void> {
  const documents = at.mesh.world.documents;
  const collections = (await routes()).length && [
    "gates",
    "inheritance_directions",
    "missions",
    "command_units",
    "command_relationships",
    "mdmp_workflows",
    "inheritance_rfis",
    "daos",
    "dao_proposals",
    "dao_votes",
    "problem_sets_escalations",
    "documents",
    "strategic_categories",
    "strategic_containers",
    "strategic_filings",
    "strategic_assignments",
  ];
  const none = async (name: string, query: object): Promise<void> => {
    await eventually(
      async () => (await documents.collection(name)).count({ query: query as never }),
      (left) => left === 0,
    );
  };
  // Twice: what is escalated or told of is news itself.
  for (const _ of [1, 2]) {
    for (const name of collections as string[]) await none(name, { _pendingSince: { $exists: true } });
    const due = { dueAt: { $lte: new Date(clock.now()).toISOString() } };
    await none("problem_sets_escalation_appointments", due);
    await none("problem_sets_notifications", due);
    await none("strategic_agent_runs", { status: "waiting" });
  }
}

it("says nothing of what lies in a compartment, by any read, to whoever is not read into it, whatever their role", async () => {
  const open = await plant(at, { problemSetId: set, parentId: parent, compartments: [], by: red, text: "in the open" });
  const shared = await plant(at, {
    problemSetId: set,
    parentId: parent,
    compartments: [compartments["blue"]!],
    by: red,
    text: "for blue",
  });
  // What is derived lies where its sources do: conflicts, linkages, coverage, tracks, counts, and what is told of them.
  await putUpPicture(at, { problemSetId: set, by: red, publisher: ann });
  await contradict(at, { problemSetId: set, compartments: [], by: red, text: "in the open" });
  await contradict(at, { problemSetId: set, compartments: [compartments["blue"]!], by: red, text: "for blue" });
  await settled();
  clock.advance(1_000);
  const world = fc.record({
    where: fc.constantFrom(["red"], ["red", "blue"], ["blue", "green"], ["green"]),
    copies: fc.integer({ min: 1, max: 2 }),
  });
  const readers: [Person, Planted][] = [
    [low, open],
    [blue, { ...open, ...shared }],
    [ann, open],
  ];
  // What is read stays the same over all worlds, so it is read before the first and after each.
  const before: Map<string, string>[] = [];
  for (const [who, planted] of readers) before.push(await everything(who, planted));
  // Of this seed the first world has two secrets in one compartment, the second one in two.
  for (const { where, copies } of fc.sample(world, { numRuns: WORLDS, seed: 3 })) {
    const heard = new Map<Person, string[]>();
    for (const [who] of readers) heard.set(who, await toldOn(who));
    const read = (await toldOn(red)).length;
    let secret: Planted = {};
    for (let n = 0; n < copies; n++)
      secret = await plant(at, {
        problemSetId: set,
        parentId: parent,
        compartments: where.map((name) => compartments[name]!),
        by: red,
        text: `${CANARY} ${where.join(" ")}`,
      });
    const inside = where.map((name) => compartments[name]!);
    await contradict(at, { problemSetId: set, compartments: inside, by: red, text: `${CANARY} ${where.join(" ")}` });
    await settled();
    for (const [who] of readers) expect((await toldOn(who)).slice(heard.get(who)!.length)).toEqual([]);
    const toldRed = (await toldOn(red)).slice(read);
    for (const word of [CANARY, "cop.layer.changed"])
      expect(toldRed.filter((one) => one.includes(word)).length).toBeGreaterThan(0);
    for (const [n, [who, planted]] of readers.entries()) {
      const after = await everything(who, planted);
      expect(differing(before[n]!, after)).toEqual([]);
      // A secret's id is no better than any other text.
      for (const read of reads.filter(
        ({ path, contract }) => contract.within && Object.keys(secret).some((template) => path.startsWith(template)),
      )) {
        const answer = await as(at, who)(read.method, fill(read.path, known(secret)), bodyOf(read));
        expect(`${read.path} ${answer.status} ${answer.text.includes(CANARY)}`).toBe(`${read.path} 404 false`);
      }
    }
  }
}, 600_000);

it("reaches each read of a problem set's records: none is compared as a 404 alone", async () => {
  const planted = await plant(at, { problemSetId: set, parentId: parent, compartments: [], by: red, text: "again" });
  await settled();
  const unreached: string[] = [];
  for (const read of reads.filter(({ contract }) => contract.within)) {
    const { status, text } = await as(at, red)(
      read.method,
      fill(read.path, known(planted)) +
        (NEEDED[read.path] ?? variants(read).find((query) => query.includes("problemSetId")) ?? ""),
      bodyOf(read),
    );
    if (status !== 200) unreached.push(`${read.method} ${read.path} ${status} ${text.slice(0, 200)}`);
  }
  expect(unreached).toEqual([]);
});

it("shows a compartment's content to whoever is read in, so that the comparison compares something", async () => {
  const secret = await plant(at, {
    problemSetId: set,
    parentId: parent,
    compartments: [compartments["red"]!],
    by: red,
    text: `${CANARY} seen`,
  });
  const seen = await everything(red, secret);
  // What is administered lies in no compartment.
  const lying = Object.keys(secret).filter((template) => !template.startsWith("/api/admin/"));
  const unseen = lying.filter(
    (template) =>
      ![...seen].some(([path, answer]) => path.includes(secret[template]!) && answer.startsWith("200")) &&
      reads.some(({ path }) => path.startsWith(template)),
  );
  expect(unseen).toEqual([]);
}, 300_000);

type Leaf = [path: string, text: string];
const leaves = (value: unknown, path = ""): Leaf[] =>
  typeof value === "string"
    ? [[path, value]]
    : Object.entries((value ?? {}) as object).flatMap(([key, one]) => leaves(one, `${path}/${key}`));

/** By the ids of one planting those of another, in whose answers they stand in the same places. */
function namesakes(one: readonly Written[], other: readonly Written[]): Map<string, string> {
  const alike = ({ method, path }: Written): string => `${method} ${path.replace(ID, "")}`;
  const left = Map.groupBy(other, alike);
  return new Map(
    one.flatMap((request) => {
      const theirs = new Map(leaves(left.get(alike(request))?.shift()?.told));
      return leaves(request.told).flatMap(([path, id]): [string, string][] => {
        const namesake = theirs.get(path);
        return id.replace(ID, "") === "" && namesake?.replace(ID, "") === "" && namesake !== id ? [[id, namesake]] : [];
      });
    }),
  );
}

/** Kept as they were given, and asked of nobody: who writes them writes a text. */
const AS_GIVEN = ["/api/validation/runs delegationId"];
/** The endpoint of a request, and the fields of its body. */
function routeOf({ method, path }: Pick<Written, "method" | "path">) {
  const template = (route: PublishedEndpoint): RegExp => new RegExp(`^${route.path.replace(/:\w+/g, "[^/]+")}$`);
  const route = all.find((one) => one.method === method && template(one).test(path.split("?")[0]!));
  return { route, shape: route && isShape(route.contract.body) ? route.contract.body : {} };
}
/** Every body of a request that names a secret: in place of what it names, and in each field that could name one. */
function naming({ method, path, asked }: Written, secrets: ReadonlyMap<string, string>, secret: Planted): unknown[] {
  const { body } = asked;
  if (method === "GET" || body instanceof FormData || typeof body !== "object" || body === null) return [];
  const text = JSON.stringify(body);
  const { route, shape } = routeOf({ method, path });
  const isGiven = (field: string): boolean =>
    AS_GIVEN.some((one) => `${route!.path} ${field}`.startsWith(one)) || field === "problemSetId" || field in body;
  const isList = (field: z.core.$ZodType): boolean =>
    JSON.stringify(z.toJSONSchema(field as z.ZodType, { io: "input", unrepresentable: "any" })).includes('"array"');
  return [
    ...[...new Set(text.match(ID))].flatMap((id) =>
      secrets.has(id) ? [JSON.parse(text.replaceAll(id, secrets.get(id)!))] : [],
    ),
    ...Object.entries(shape).flatMap(([field, schema]) =>
      isGiven(field)
        ? []
        : namedBy(field, secret).map((id) => ({ ...body, [field]: isList(schema as z.core.$ZodType) ? [id] : id })),
    ),
  ];
}

it("lets nothing in the open name what lies further in, though whoever sees both writes it", async () => {
  const place = { problemSetId: set, parentId: parent, by: red };
  const [open, requests] = await written(at, { ...place, compartments: [], text: "named" });
  const inside = { ...place, compartments: [compartments["red"]!], text: `${CANARY} named` };
  const [secret, theirs] = await written(at, inside);
  const secrets = namesakes(requests, theirs);
  const changes = all
    .filter(({ method, path }) => /^P(UT|ATCH)$/.test(method) && Object.keys(open).some((one) => path.startsWith(one)))
    .map(({ method, path }) => ({
      method,
      path: fill(path, known(open)),
      asked: { as: red.token, body: {} },
      told: null,
    }));
  const tried = [...requests, ...changes].flatMap((request) =>
    naming(request, secrets, secret).map((body) => ({ ...request, body })),
  );
  // One by one: some are about the same record.
  for (const { method, path, asked, body } of tried) await at.http(method, path, { ...asked, body });
  expect(tried.length).toBeGreaterThan(30);
  await settled();
  const shown = new Set([...secrets.keys(), ...Object.values(open)]);
  const hidden = [...secrets.values(), ...Object.values(secret)].filter(
    (id) => !shown.has(id) && id.replace(ID, "") === "",
  );
  const named = [...(await everything(low, open))].filter(
    ([path, answer]) => !path.includes(CANARY) && [CANARY, ...hidden].some((text) => answer.includes(text)),
  );
  expect(named.map(([path, answer]) => `${path} ${answer.slice(0, 400)}`)).toEqual([]);
}, 300_000);

it("shows nothing in the open otherwise for what is done with it further in", async () => {
  const place = { problemSetId: set, parentId: parent, by: red };
  const [open, requests] = await written(at, { ...place, compartments: [], text: "used" });
  const inside = { compartments: [compartments["red"]!] };
  const [, theirs] = await written(at, { ...place, ...inside, text: `${CANARY} used` });
  const openly = namesakes(theirs, requests);
  const swapped = (text: string): string => text.replace(ID, (id) => openly.get(id) ?? id);
  const atRest = async (): Promise<void> => {
    await settled();
    for (const status of ["queued", "running"])
      await eventually(
        async () => (await at.http("GET", `/api/jobs?status=${status}`)).body.data.length,
        (left) => left === 0,
      );
  };
  await atRest();
  const before = await everything(low, open);
  const done: number[] = [];
  for (const { method, path, asked } of theirs) {
    const text = JSON.stringify(asked.body ?? {});
    if (method === "GET" || !("compartments" in routeOf({ method, path }).shape)) continue;
    if (swapped(path + text) === path + text) continue;
    const body = { ...JSON.parse(swapped(text)), ...inside };
    done.push((await at.http(method, swapped(path), { ...asked, body })).status);
  }
  expect(done.filter((status) => status < 300).length).toBeGreaterThan(7);
  await atRest();
  // What agents ask to do there is done: it counts against what it is done by.
  const approvals = `/api/agents/approvals?problemSetId=${set}&status=pending&limit=100`;
  const asked: { id: string; hash: string; compartments: string[] }[] = (await as(at, red)("GET", approvals)).body.data;
  for (const { id, hash } of asked.filter((one) => one.compartments.includes(compartments["red"]!)))
    await as(at, red)("POST", `/api/agents/approvals/${id}/decide`, { hash, decision: "approve", reason: "Needed" });
  await atRest();
  expect(differing(before, await everything(low, open))).toEqual([]);
}, 300_000);

it("tells whoever was read out nothing more of it, by no read and on no socket, though they made it", async () => {
  const [mid] = await persons(at, "mid");
  for (const id of [set, parent]) await admit(at, id, mid, "commander");
  const cid = compartments["red"]!;
  const members = `/api/problem-sets/${set}/compartments/${cid}/members`;
  await as(at, ann)("POST", members, { did: mid.did });
  await as(at, mid)("POST", `/api/problem-sets/${set}/subscriptions`, { kinds: ["*"] });
  const client = await connect(at.url, { auth: { token: mid.token } });
  sockets.set(mid, client);
  expect(await client.subscribe({ problemSetId: set })).toEqual({ ok: true });
  const place = { problemSetId: set, parentId: parent, by: mid };
  const open = await plant(at, { ...place, compartments: [], text: "of mid" });
  const [secret, requests] = await written(at, { ...place, compartments: [cid], text: `${CANARY} of mid` });
  await settled();
  const lying = lyingIn(
    cid,
    requests.map(({ told }) => told),
  );
  expect(lying.size).toBeGreaterThan(40);
  const tells = (text: string): boolean => [...lying].some((id) => text.includes(id));
  expect((await toldOn(mid)).filter(tells).length).toBeGreaterThan(0);
  expect((await as(at, ann)("DELETE", `${members}/${encodeURIComponent(mid.did)}`)).status).toBe(200);
  const heard = (await toldOn(mid)).length;
  // What they set going there is decided by others, and goes on.
  for (const [noun, path, decision] of [
    ["checkpoints", "orchestration/checkpoints/:checkpointId", "approve"],
    ["approvals", "agents/approvals/:approvalId", "decide"],
  ] as const) {
    const id = secret[`/api/${path}`]!;
    const list = `/api/${path.split("/:")[0]}?problemSetId=${set}&limit=100`;
    const { hash } = (await as(at, red)("GET", list)).body.data.find((one: { id: string }) => one.id === id);
    const body = { hash, ...(noun === "approvals" && { decision: "approve", reason: "It is needed" }) };
    expect((await as(at, red)("POST", `/api/${path.split("/:")[0]}/${id}/${decision}`, body)).status).toBe(200);
  }
  await settled();
  expect((await toldOn(mid)).slice(heard).filter(tells)).toEqual([]);
  const seen = await everything(mid, { ...open, ...secret });
  expect(
    [...seen].flatMap(([path, answer]) =>
      // What is asked for is said again by a refusal.
      (tells(path) ? !answer.startsWith("404") : tells(answer)) ? `${path} ${answer.slice(0, 400)}` : [],
    ),
  ).toEqual([]);
}, 300_000);

it("names the set above to no member of a set who is none of that one, in no answer and on no socket", async () => {
  const [kim] = await persons(at, "kim");
  await admit(at, set, kim, "deputy");
  const client = await connect(at.url, { auth: { token: kim.token } });
  sockets.set(kim, client);
  expect(await client.subscribe({ problemSetId: set })).toEqual({ ok: true });
  const planted = await plant(at, {
    problemSetId: set,
    parentId: parent,
    compartments: [],
    by: red,
    text: "seen from below",
  });
  // What they wrote themselves and passed up is in the export of what is held about them.
  const objective = { problemSetId: set, statement: "Hold the eastern bank", owner: "S3" };
  const passing = "/api/strategic/objectives";
  const passed = (await as(at, kim)("POST", passing, objective)).body.data.id;
  for (const step of ["submit", "workflow/escalate"])
    expect((await as(at, kim)("POST", `${passing}/${passed}/${step}`, {})).status).toBeLessThan(300);
  await settled();
  const seen = await everything(kim, planted);
  expect(seen.get("GET /api/user-profile/export")).toContain(passed);
  expect(
    [...seen].filter(([path, answer]) => !path.includes(parent) && answer.includes(parent)).map(([path]) => path),
  ).toEqual([]);
  expect((await toldOn(kim)).filter((one) => one.includes(parent))).toEqual([]);
  // Whoever is a member of both is told, so that not to be told means something.
  for (const template of [
    "/api/problem-sets/:id",
    "/api/inheritance/:id/inherited-context",
    "/api/inheritance/:id/annotations",
    "/api/inheritance/:id/rfis",
    "/api/gates/:problemSetId",
  ]) {
    const read = reads.find(({ method, path }) => method === "GET" && path === template)!;
    const told: string[] = [];
    for (const query of variants(read))
      told.push((await as(at, red)("GET", fill(template, known(planted)) + query)).text);
    expect([template, told.some((text) => text.includes(parent))]).toEqual([template, true]);
  }
  // Nor do the answers to writes, nor refusals.
  const asKim = as(at, kim);
  const { id: raised } = (
    await asKim("POST", "/api/gates", { problemSetId: set, tab: "orders", name: "For those above" })
  ).body.data;
  const {
    items: [item],
  } = (await asKim("GET", `/api/inheritance/${set}/inherited-context`)).body.data;
  const writes = [
    await asKim("POST", `/api/gates/${raised}/escalate`, { reason: "Not ours to say" }),
    await asKim("POST", `/api/inheritance/${set}/rfis`, { title: "Why", question: "Why?" }),
    await asKim("POST", `/api/inheritance/${set}/annotations`, { itemId: item.id, text: "Noted" }),
    await asKim("PATCH", `/api/problem-sets/${set}`, { description: "Below" }),
  ];
  for (const { status, text } of writes) expect([status < 300, text.includes(parent)]).toEqual([true, false]);
  expect((await as(at, red)("DELETE", `/api/problem-sets/${parent}`)).status).toBe(200);
  const [gate] = (await asKim("GET", `/api/gates/${set}/orders?status=submitted`)).body.data;
  const refusals = [
    await asKim("POST", `/api/gates/${gate.id}/escalate`, {}),
    await asKim("POST", `/api/inheritance/${set}/rfis`, { title: "Why", question: "Why?" }),
    await asKim("POST", `/api/inheritance/${set}/rfis/${planted["/api/inheritance/:id/rfis/:rfiId"]}/messages`, {
      text: "Hello",
    }),
  ];
  for (const { status, body, text } of refusals)
    expect([status, body.error.code, text.includes(parent)]).toEqual([409, "ARCHIVED", false]);
}, 300_000);
