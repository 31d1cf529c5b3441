import { isShape } from "../../core/contract/endpoint.ts";
import type { PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { newId } from "../../core/ids.ts";
import { inFlight } from "../in-flight.ts";
import { world, type TestWorld } from "../mesh.ts";
import { fill } from "../paths.ts";
import type { Planted } from "../requests.ts";
import { routes } from "../routes.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { ID, lyingIn, namedBy, written } from "../written.ts";

// Claim 10, from the other side: whoever has the id of something hidden, and asks with it in whatever place of whatever
// request, is answered as with an id that is nobody's.

let at: TestWorld;
let all: PublishedEndpoint[];
let red: Person, blue: Person;
let set: string, parent: string, cid: string;

beforeAll(async () => {
  at = await world();
  all = await routes();
  const [ann, ...others] = await persons(at, "ann", "red", "blue");
  [red, blue] = others;
  parent = await openSet(at, ann, { name: "Corps" });
  set = await openSet(at, ann, { name: "Division", parentId: parent });
  for (const id of [set, parent]) for (const who of [red, blue]) await admit(at, id, who, "commander");
  cid = await openCompartment(at, set, ann, "Deep", red);
}, 120_000);
afterAll(() => at.stop());

/** What ends the asker's own part in things. */
const PARTING = /^\/api\/(?:auth\/|user-mode|user-profile|problem-sets\/:id(?:\/leave)?$)/;
/** Bodies with ids further in: `$missions` stands for that of a hidden mission, by the last noun of its path. */
const WITHIN: Readonly<Record<string, readonly object[]>> = {
  "POST /api/dao/:daoId/proposals": [
    { title: "Trust them", measures: [{ do: "grant-dao-role", account: "$asker", roleId: "$roles" }] },
  ],
  "POST /api/gates": [{ tab: "orders", name: "First", guards: { kind: "mdmp-transition", subject: "$missions" } }],
  "POST /api/problem-sets/:id/escalate": [
    { reason: "Nobody answers", subject: { type: "gate", id: "$gate" } },
    { reason: "Nobody answers", subject: { type: "mission", id: "$missions" } },
    { reason: "Nobody answers", subject: { type: "rfi", id: "$rfis" } },
    { reason: "Nobody answers", subject: { type: "proposal", id: "$proposals" } },
  ],
  "POST /api/ai-staff/:problemSetId/annotations": [
    { text: "Noted", targetType: "document", targetId: "$documents" },
    { text: "Noted", targetType: "objective", targetId: "$objectives" },
  ],
  "PUT /api/ai-staff/:problemSetId/routing/:tabId": [{ agentId: "$agents" }],
  "POST /api/strategic/assignments": [
    { subjectKind: "document", subjectId: "$documents", title: "See to it", assigneeId: "$asker" },
    { subjectKind: "objective", subjectId: "$objectives", title: "See to it", assigneeId: "$asker" },
    { subjectKind: "container", subjectId: "$containers", title: "See to it", assigneeId: "$asker" },
  ],
  "POST /api/strategic/objectives": [
    { statement: "Hold it", owner: "S3", citations: [{ documentId: "$documents", start: 0, end: 4 }] },
    { statement: "Hold it", owner: "S3", supersedes: "$objectives" },
  ],
  "POST /api/strategic-agents/cycle": [
    { direction: { question: "What holds?", queries: [], documentIds: ["$documents"] } },
  ],
  "POST /api/orchestration/supervisors": [{ name: "One", agents: ["$agents"] }],
  "POST /api/resources": [{ name: "Truck", missionIds: ["$missions"] }],
  "POST /api/graph/workspaces": [{ name: "Ours", entityIds: ["$actors"] }],
};

interface Asked {
  method: string;
  path: string;
  body?: unknown;
}

/** Each request in which an id stands that could name something hidden: in the path, in the query, in the body. */
function asking({ method, path, contract }: PublishedEndpoint, open: Planted, secret: Planted): Asked[] {
  const sets = { ":problemSetId": set, "/api/problem-sets/:id": set, "/api/inheritance/:id": set };
  const known = { ...sets, ":memberDid": red.did, ":did": red.did };
  const openly = fill(path, { ...known, ...open });
  const shape = isShape(contract.body) ? contract.body : {};
  const placed = "problemSetId" in shape ? { problemSetId: set } : {};
  const { example } = contract;
  const bodies: unknown[] =
    method === "GET" || method === "DELETE"
      ? [undefined]
      : [placed, ...(example && !Array.isArray(example) ? [{ ...example, ...placed }] : [])];
  const paths = Object.entries(secret)
    .filter(([template]) => path.startsWith(template))
    .map(([template, id]) => fill(path, { ...known, ...open, [template]: id }));
  const query = contract.query ?? {};
  const within = "problemSetId" in query ? [`problemSetId=${set}`] : [];
  const asked = [...new Set([fill(path, { ...known, ...secret }), ...paths])].flatMap((filled) =>
    bodies.map((body) => ({ method, path: [filled, ...within].join("?"), body })),
  );
  const filters = Object.keys(query).flatMap((field) =>
    namedBy(field, secret).map((id) => ({
      method,
      path: `${openly}?${[...within, `${field}=${id}`].join("&")}`,
      body: bodies[0],
    })),
  );
  const named = Object.keys(shape).flatMap((field) =>
    (field === "problemSetId" ? [] : namedBy(field, secret)).flatMap((id) =>
      bodies.map((body) => ({
        method,
        path: openly,
        body: { ...(body as object), [field]: /s$/.test(field) ? [id] : id },
      })),
    ),
  );
  const inside = (WITHIN[`${method} ${path}`] ?? []).flatMap((body) => {
    const text = JSON.stringify({ ...placed, ...body }).replace("$asker", blue.userId);
    const noun = /\$(\w+)/.exec(text)![1];
    const ids = Object.entries(secret).flatMap(([template, id]) => (template.split("/").at(-2) === noun ? [id] : []));
    expect([noun, ids.length > 0]).toEqual([noun, true]);
    return ids.map((id) => ({ method, path: openly, body: JSON.parse(text.replace(`$${noun}`, id)) as unknown }));
  });
  return [...asked, ...filters, ...named, ...inside];
}

/** An answer without what differs between any two: ids, moments, revisions. */
const likened = (text: string): string =>
  text
    .replace(/"requestId":"[^"]*"/, "")
    .replace(ID, "ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "T")
    .replace(/"rev":\d+/g, "");

it("is answered of a hidden id as of none, whatever is asked with it", async () => {
  const place = { problemSetId: set, parentId: parent, by: red };
  const [open] = await written(at, { ...place, compartments: [], text: "open" });
  const [planted, requests] = await written(at, { ...place, compartments: [cid], text: "hidden" });
  const hidden = lyingIn(
    cid,
    requests.map(({ told }) => told),
  );
  const openly = new Set(Object.values(open));
  const secret = Object.fromEntries(
    Object.entries(planted).filter(([, id]) => id.replace(ID, "") === "" && !openly.has(id)),
  );
  for (const id of Object.values(secret)) hidden.add(id);
  const none = new Map([...hidden].map((id) => [id, newId()]));
  const names = (text: string): boolean => [...hidden].some((id) => text.includes(id));
  const tried = [
    ...all
      .filter(({ path, contract }) => !PARTING.test(path) && !contract.returns.events)
      .flatMap((endpoint) => asking(endpoint, open, secret)),
    // As whoever made it asked: with whatever else belongs to it.
    ...requests
      .filter(({ asked }) => !(asked.body instanceof FormData))
      .map(({ method, path, asked }) => ({ method, path, body: asked.body })),
  ].filter(({ path, body }) => names(path + JSON.stringify(body)));
  const texts = [...new Set(tried.map((one) => JSON.stringify(one)))];
  expect(texts.length).toBeGreaterThan(500);
  const ask = async (text: string): Promise<string> => {
    const { method, path, body } = JSON.parse(text) as Asked;
    const reply = await as(at, blue)(method, path, body);
    return `${reply.status} ${likened(reply.text)}`;
  };
  const answers = await inFlight(texts, async (text) => ({
    text,
    hidden: await ask(text),
    none: await ask(text.replace(ID, (id) => none.get(id) ?? id)),
  }));
  expect(answers.filter((one) => one.hidden !== one.none)).toEqual([]);
}, 300_000);
