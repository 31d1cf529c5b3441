import { z } from "zod";
import { data } from "../../core/contract/answer.ts";
import { endpoint, type MeshService } from "../../core/contract/endpoint.ts";
import type { Pressure } from "../../core/load/pressure.ts";
import { domain } from "../../mixins/domain.mixin.ts";
import { world, type TestWorld } from "../mesh.ts";
import { fill } from "../paths.ts";
import { plant, requests } from "../requests.ts";
import { routes } from "../routes.ts";
import { as, openSet, person, type Person } from "../workspace/people.ts";
import { Flood, text } from "./load/flood.ts";

// Clients that ask anew when they were answered are no overload, however dear the work and however busy the machine:
// nobody is refused with the settings as they come. Counted are answers, no times.

const CLIENTS = [16, 64];
const SECONDS = 2;

function work(milliseconds: number): { done: true } {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
  return { done: true };
}
const slow: MeshService = {
  name: "slow",
  settings: { rest: "/slow" },
  mixins: [domain({})],
  actions: Object.fromEntries(
    [25, 200].map((ms) => [
      `of${ms}`,
      endpoint({
        rest: `GET /${ms}`,
        summary: "Keep the loop",
        permit: "signed-in",
        returns: data(z.object({ done: z.boolean() })),
        handler: () => work(ms),
      }),
    ]),
  ),
};

let at: TestWorld;
let flood: Flood;
let ann: Person;
const reads: string[] = [];
const creates: string[] = [];
beforeAll(async () => {
  at = await world({}, { extra: [slow] });
  flood = new Flood();
  ann = await person(at, "ann");
  const parentId = await openSet(at, ann, { name: "Corps" });
  const problemSetId = await openSet(at, ann, { name: "Division", parentId });
  const planted = await plant(at, { problemSetId, parentId, compartments: [], by: ann, text: "planted" });
  const known = { ":problemSetId": problemSetId, "/api/problem-sets/:id": problemSetId, ":did": ann.did, ...planted };
  const asked = (await routes())
    .filter(({ method, contract: { returns } }) => method === "GET" && returns.body && !returns.events)
    .map(({ path }) => fill(path, known));
  for (const path of asked)
    if ((await as(at, ann)("GET", path)).status === 200) reads.push(text("GET", path, ann.token));
  for (const [route, row] of Object.entries(requests)) {
    const { path, body, as: who } = await row(at);
    // What makes a record may be asked for again and again; a form with a file is written otherwise than this flood does.
    const isForm = (body as unknown) instanceof FormData;
    if (path === route.slice("POST ".length) && who && body && !isForm && !path.startsWith("/api/auth/"))
      creates.push(text("POST", path, await at.tokenOf(who), body));
  }
}, 300_000);
afterAll(async () => {
  flood?.end();
  await at?.stop();
});

const slowly = (ms: number): string => text("GET", `/api/slow/${ms}`, ann.token);
const mixes: [name: string, mix: () => string[]][] = [
  ["every read of the catalogue", () => reads],
  ["every create", () => creates],
  ["one list that takes 25 ms", () => [slowly(25)]],
  ["reads, creates, and one in two hundred that takes 200 ms", () => mixed()],
];
function mixed(): string[] {
  const all = Array.from({ length: 400 }, (_, n) => (n % 2 ? reads : creates)[n % (n % 2 ? reads : creates).length]!);
  return all.map((one, n) => (n % 200 === 7 ? slowly(200) : one));
}

describe.each(CLIENTS)("%i clients, each waiting for its answer", (connections) => {
  it.each(mixes)(
    "%s: nobody is refused",
    async (_name, mix) => {
      const { pressure } = at.service("gateway") as { pressure: Pressure };
      const before = pressure.refused;
      const outcome = await flood.run(at.url, { requests: mix(), seconds: SECONDS, connections });
      expect(outcome.good).toBeGreaterThan(0);
      expect(Object.keys(outcome.failed).filter((status) => !/^4\d\d$/.test(status))).toEqual([]);
      expect(outcome).toMatchObject({ refused: 0, late: 0 });
      expect(pressure.refused).toBe(before);
    },
    120_000,
  );
});
