import fc from "fast-check";
import { isShape } from "../../core/endpoint.ts";
import type { Published } from "../../core/catalogue.ts";
import { eventually, TestClock, world, type TestWorld } from "../mesh.ts";
import { fill } from "../paths.ts";
import { plant, type Planted } from "../requests.ts";
import { routes } from "../routes.ts";
import { admit, as, openSet, person, type Person } from "../workspace/people.ts";

// Claim 10, non-interference: what lies in a compartment changes nothing that whoever is not read into it can reach. Everything a
// reader can read is read, secrets are planted, and everything is read again at the same instant: byte for byte the same.

/** Stands still, so that an answer that names the present says the same twice. */
class StillClock extends TestClock {
  #at = Date.now();
  override now(): number { return this.#at; }
  override advance(milliseconds: number): void { this.#at += milliseconds; }
}

let at: TestWorld;
let clock: StillClock;
let reads: Published[];
let ann: Person, red: Person, blue: Person, low: Person;
let set: string, parent: string;
const compartments: Record<string, string> = {};

const CANARY = "quetzalcoatl";
const WORLDS = Number(process.env["BARRIER_WORLDS"] ?? 3);

/** What a reader reads: every GET, and the POSTs that only ask. */
const isRead = ({ method, contract }: Published): boolean => (method === "GET" && contract.returns.body !== undefined) || (method === "POST" && contract.audit === false && contract.permit === "signed-in");
/** Answers that differ from one moment to the next for reasons of their own. */
const RESTLESS = new Set(["/api/auth/sessions", "/api/health", "/api/jobs", "/api/jobs/:id/events"]);

beforeAll(async () => {
  clock = new StillClock();
  at = await world({}, { clock });
  reads = (await routes()).filter((route) => isRead(route) && !RESTLESS.has(route.path));
  [ann, red, blue, low] = await Promise.all(["ann", "red", "blue", "low"].map((name) => person(at, name))) as [Person, Person, Person, Person];
  parent = await openSet(at, ann, { name: "Corps" });
  set = await openSet(at, ann, { name: "Division", parentId: parent });
  for (const id of [set, parent]) {
    await admit(at, id, red, "commander");
    await admit(at, id, blue, "deputy");
    await admit(at, id, low, "observer");
  }
  for (const name of ["red", "blue", "green"]) {
    compartments[name] = (await as(at, ann)("POST", `/api/problem-sets/${set}/compartments`, { name: `${name} ${CANARY}` })).body.data.id;
    for (const who of name === "blue" ? [red, blue] : [red]) await as(at, ann)("POST", `/api/problem-sets/${set}/compartments/${compartments[name]}/members`, { did: who.did });
  }
}, 120_000);
afterAll(() => at.stop());

/** The ids of the sets and people, beside what was planted. */
const known = (planted: Planted): Planted => ({ ":problemSetId": set, "/api/problem-sets/:id": set, "/api/inheritance/:id": set, ":memberDid": red.did, ":did": red.did, ...planted });

/** What some reads cannot do without. */
const NEEDED: Record<string, string> = { "/api/dao/:daoId/voting-address": `?address=0x${"1".repeat(40)}` };

const variants = ({ contract, method, path }: Published): string[] => {
  const query = contract.query ?? {};
  if (NEEDED[path]) return [NEEDED[path]];
  const own = "problemSetId" in query ? [`?problemSetId=${set}`] : [];
  if (method === "POST" || !("limit" in query)) return ["", ...own];
  return ["", ...own, "?limit=1", ...("page" in query ? ["?limit=2&page=2"] : []), ...("direction" in query ? ["?direction=received"] : [])];
};
const bodyOf = ({ method, contract }: Published): unknown => (method === "GET" ? undefined : !isShape(contract.body) ? {} : "problemSetIds" in contract.body ? { problemSetIds: [set, parent] } : "choice" in contract.body ? { choice: "for" } : {});

/** Everything that somebody reads: status, what the headers tell of the content, and the body without the request's id. */
async function everything(who: Person, planted: Planted): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const read of reads) for (const query of variants(read)) {
    for (const ids of "/api/inheritance/:id" in planted || !read.path.startsWith("/api/inheritance/:id") ? [planted] : [planted, { ...planted, "/api/inheritance/:id": parent }]) {
      const path = fill(read.path, known(ids)) + query;
      const { status, headers, text } = await as(at, who)(read.method, path, bodyOf(read));
      seen.set(`${read.method} ${path}`, `${status} ${headers.get("etag")} ${headers.get("link")} ${text.replace(/"requestId":"[^"]*"/, "")}`);
    }
  }
  return seen;
}

const differing = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before].filter(([path, answer]) => after.get(path) !== answer).map(([path, answer]) => `${path}\n  before ${answer.slice(0, 400)}\n  after  ${after.get(path)?.slice(0, 400)}`);

/** Waits until facts told by what was planted have been heard everywhere. */
async function settled(): Promise<void> {
  const documents = at.mesh.world.documents;
  const collections = (await routes()).length && ["gates", "inheritance_directions", "missions", "command_units", "command_relationships", "mdmp_workflows", "inheritance_rfis", "daos", "dao_proposals", "dao_votes", "problem_sets_escalations"];
  for (const name of collections as string[]) await eventually(async () => (await documents.collection(name)).count({ query: { _pendingSince: { $exists: true } } }), (left) => left === 0);
}

it("says nothing of what lies in a compartment, by any read, to whoever is not read into it, whatever their role", async () => {
  const open = await plant(at, { problemSetId: set, parentId: parent, compartments: [], by: red, text: "in the open" });
  const shared = await plant(at, { problemSetId: set, parentId: parent, compartments: [compartments["blue"]!], by: red, text: "for blue" });
  await settled();
  clock.advance(1_000);
  const world = fc.record({ where: fc.constantFrom(["red"], ["red", "blue"], ["blue", "green"], ["green"]), copies: fc.integer({ min: 1, max: 2 }) });
  for (const { where, copies } of fc.sample(world, { numRuns: WORLDS, seed: 20_261_121 })) {
    const readers: [Person, Planted][] = [[low, open], [blue, { ...open, ...shared }], [ann, open]];
    const before = [];
    for (const [who, planted] of readers) before.push(await everything(who, planted));
    let secret: Planted = {};
    for (let n = 0; n < copies; n++) secret = await plant(at, { problemSetId: set, parentId: parent, compartments: where.map((name) => compartments[name]!), by: red, text: `${CANARY} ${where.join(" ")}` });
    await settled();
    for (const [n, [who, planted]] of readers.entries()) {
      const after = await everything(who, planted);
      expect(differing(before[n]!, after)).toEqual([]);
      // A secret's id is no better than any other text.
      for (const read of reads.filter(({ path, contract }) => contract.within && Object.keys(secret).some((template) => path.startsWith(template)))) {
        const answer = await as(at, who)(read.method, fill(read.path, known(secret)), bodyOf(read));
        expect(`${read.path} ${answer.status} ${answer.text.includes(CANARY)}`).toBe(`${read.path} 404 false`);
      }
    }
    clock.advance(1_000);
  }
}, 300_000);

it("reaches each read of a problem set's records: none is compared as a 404 alone", async () => {
  const planted = await plant(at, { problemSetId: set, parentId: parent, compartments: [], by: red, text: "again" });
  await settled();
  const unreached: string[] = [];
  for (const read of reads.filter(({ contract }) => contract.within)) {
    const { status, text } = await as(at, red)(read.method, fill(read.path, known(planted)) + (NEEDED[read.path] ?? variants(read).find((query) => query.includes("problemSetId")) ?? ""), bodyOf(read));
    if (status !== 200) unreached.push(`${read.method} ${read.path} ${status} ${text.slice(0, 200)}`);
  }
  expect(unreached).toEqual([]);
}, 60_000);

it("shows a compartment's content to whoever is read in, so that the comparison compares something", async () => {
  const secret = await plant(at, { problemSetId: set, parentId: parent, compartments: [compartments["red"]!], by: red, text: `${CANARY} seen` });
  const seen = await everything(red, secret);
  const unseen = Object.keys(secret).filter((template) => ![...seen].some(([path, answer]) => path.includes(secret[template]!) && answer.startsWith("200")) && reads.some(({ path }) => path.startsWith(template)));
  expect(unseen).toEqual([]);
}, 120_000);
