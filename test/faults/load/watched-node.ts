import { world, type TestWorld } from "../../mesh.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { Gate } from "../../../services/workspace/gates/gates.ts";
import { Member } from "../../../services/workspace/problem-sets/members/members.ts";
import { Relationship } from "../../../services/workspace/command/relationships.ts";
import { Unit } from "../../../services/workspace/command/units.ts";
import { TurnWatch, type LongTurn } from "../../turns/turn-watch.ts";
import { fill } from "../../paths.ts";
import { plant, requests } from "../../requests.ts";
import { routes } from "../../routes.ts";
import { as, openSet, person } from "../../workspace/people.ts";

// A node in a process of its own with much in it, whose event loop is watched. Asked by messages; see
// long-turns.test.ts.

const MEMBERS = 394;
const UNITS = 5_000;
const GATES = 2_000;
const REST_MS = 20;
const MOST_MS = Number(process.argv[2] ?? 50);

export interface Asked {
  route: string;
  method: string;
  path: string;
  token: string;
  body?: unknown;
  /** A body as it is sent. */
  text?: string;
}
export interface Scene {
  url: string;
  asked: Asked[];
  /** A planner's, and a problem set of theirs. */
  token: string;
  problemSetId: string;
}

const MESH = asSystem("scene");

async function scene(at: TestWorld): Promise<Omit<Scene, "url">> {
  const ann = await person(at, "ann");
  const parentId = await openSet(at, ann, { name: "Corps" });
  const problemSetId = await openSet(at, ann, { name: "Division", parentId });
  const planted = await plant(at, { problemSetId, parentId, compartments: [], by: ann, text: "planted" });
  await at
    .service("problem-sets")
    .store(Member)
    .createMany(
      MESH,
      Array.from({ length: MEMBERS }, (_, n) => ({
        problemSetId,
        userId: `member-${n}`,
        did: `did:example:member-${n}`,
        role: "planner",
        status: "active",
        compartments: [],
      })),
    );
  await at
    .service("gates")
    .store(Gate)
    .createMany(
      MESH,
      Array.from({ length: GATES }, (_, n) => ({
        problemSetId,
        compartments: [],
        tab: "orders",
        name: `Gate ${n}`,
        status: "open",
        decisions: [],
      })),
    );
  const units = await at
    .service("command")
    .store(Unit)
    .createMany(
      MESH,
      Array.from({ length: UNITS }, (_, n) => ({ problemSetId, compartments: [], name: `Unit ${n}` })),
    );
  await at
    .service("command")
    .store(Relationship)
    .createMany(
      MESH,
      units.slice(1).map(({ id }: { id: string }, n: number) => ({
        problemSetId,
        compartments: [],
        superiorId: units[Math.floor(n / 5)]!.id,
        subordinateId: id,
        kind: "organic",
      })),
    );
  const { id: dao } = (await as(at, ann)("POST", "/api/dao", { problemSetId, name: "All", config: {} })).body.data;
  const known = { ":problemSetId": problemSetId, "/api/problem-sets/:id": problemSetId, ":did": ann.did, ...planted };
  const asked: Asked[] = [];
  for (const { method, path, contract } of await routes())
    if (method === "GET" && contract.returns.body && !contract.returns.events)
      asked.push({ route: path, method, path: fill(path, known), token: ann.token });
  for (const [route, row] of Object.entries(requests)) {
    const { path, body, as: who } = await row(at);
    if (who) asked.push({ route, method: "POST", path, body, token: await at.tokenOf(who) });
  }
  const { id: missionId } = (await as(at, ann)("POST", "/api/missions", { problemSetId, name: "Long" })).body.data;
  asked.push(
    {
      route: "a proposal for all",
      method: "POST",
      path: `/api/dao/${dao}/proposals`,
      body: { title: "All" },
      token: ann.token,
    },
    {
      route: "the whole hierarchy",
      method: "POST",
      path: `/api/command/validate-hierarchy/${missionId}`,
      token: ann.token,
    },
    { route: "2,000 gates", method: "GET", path: `/api/gates/${problemSetId}/orders?limit=100`, token: ann.token },
  );
  return { asked, token: ann.token, problemSetId };
}

const at = await world();
const watch = new TurnWatch(MOST_MS);
process.on("message", async (message: "on" | "rest" | "turns" | "end") => {
  // Turned on anew: what was seen until now has been told by then.
  if (message === "turns")
    return void watch.set(true).then(() => process.send!(watch.turns.splice(0) satisfies LongTurn[]));
  // What a request leaves to be done goes on for some turns; the watcher must have seen the last of them.
  if (message === "rest") return void setTimeout(() => process.send!("done"), REST_MS);
  if (message === "on") return void watch.set(true).then(() => process.send!("done"));
  await watch.end();
  await at.stop();
  process.exit(0);
});
process.send!({ url: at.url, ...(await scene(at)) } satisfies Scene);
