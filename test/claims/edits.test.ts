import { eventually, world, type TestWorld } from "../mesh.ts";
import { fill } from "../paths.ts";
import { plant, type Planted } from "../requests.ts";
import { routes } from "../routes.ts";
import { as, openSet, person, type Person } from "../workspace/people.ts";

// An edit that changes nothing makes no revision, and nothing is told of it: over every PATCH and PUT of a record.

/** What is said of a device counts though it says the same as before: it was heard of. */
const REPORTS = ["PATCH /api/sensors/:id/status"];

let at: TestWorld, ann: Person, set: string, planted: Planted;
beforeAll(async () => {
  at = await world();
  ann = await person(at, "ann");
  const parent = await openSet(at, ann, { name: "Corps" });
  set = await openSet(at, ann, { name: "Division", parentId: parent });
  planted = {
    ...(await plant(at, { problemSetId: set, parentId: parent, compartments: [], by: ann, text: "planted" })),
    ":problemSetId": set,
    "/api/problem-sets/:id": set,
    "/api/inheritance/:id": set,
    ":did": ann.did,
  };
});
afterAll(() => at.stop());

it("that says nothing, or what is so already, leaves every record in its revision", async () => {
  const ask = as(at, ann);
  const seen: string[] = [],
    wrong: string[] = [];
  for (const { method, path } of await routes()) {
    if (!["PATCH", "PUT"].includes(method) || REPORTS.includes(`${method} ${path}`)) continue;
    const address = fill(path, planted, "999999");
    const before = (await ask("GET", address)).body?.data;
    if (!before?.rev) continue;
    const { name, title, statement, description } = before;
    for (const body of [{}, { name }, { title }, { statement }, { name, description }]) {
      const reply = await ask(method, address, body);
      if (reply.status !== 200) continue;
      seen.push(`${method} ${path}`);
      if (reply.body.data.rev !== before.rev) wrong.push(`${method} ${path} ${Object.keys(body).join()}`);
    }
  }
  expect(wrong).toEqual([]);
  expect([...new Set(seen)]).toHaveLength(10);
});

it("that says nothing is in nobody's activity", async () => {
  const ask = as(at, ann);
  const { id } = (await ask("POST", "/api/missions", { problemSetId: set, name: "Hold the dam" })).body.data;
  const told = async (): Promise<string[]> =>
    (await ask("GET", `/api/problem-sets/${set}/activity?limit=100`)).body.data
      .map(({ summary }: { summary: string }) => summary)
      .filter((summary: string) => summary.includes("Hold the"));
  await ask("PATCH", `/api/missions/${id}`, {});
  await ask("PATCH", `/api/missions/${id}`, { name: "Hold the dam" });
  const changed = await ask("PATCH", `/api/missions/${id}`, { name: "Hold the lock" });
  expect(changed.body.data).toMatchObject({ rev: 2, name: "Hold the lock" });
  await eventually(told, (all) => all.some((one) => one.includes("lock")));
  expect((await told()).filter((one) => one.includes("was changed"))).toHaveLength(1);
});
