import { world, type TestWorld } from "../../mesh.ts";
import { admit, as, openSet, person, type Person } from "../people.ts";

// A DAO of a child set may lie in a compartment of its parent. Whoever may see it by the one rule belongs to its
// electorate.

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const HOUR = 3_600_000;
const post = async (who: Person, path: string, body: object = {}): Promise<any> => {
  const reply = await as(at, who)("POST", path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body?.data;
};

it("all who are read in vote, through whichever set the compartment belongs to; nobody else belongs", async () => {
  const [ann, ben, cat] = [await person(at, "ann"), await person(at, "ben"), await person(at, "cat")];
  const parent = await openSet(at, ann, { name: "Above" });
  for (const who of [ben, cat]) await admit(at, parent, who, "deputy");
  const child = await openSet(at, ann, { name: "Below", parentId: parent });
  for (const who of [ben, cat]) await admit(at, child, who, "deputy");
  const { id: dams } = await post(ann, `/api/problem-sets/${parent}/compartments`, { name: "Dam safety" });
  await post(ann, `/api/problem-sets/${parent}/compartments/${dams}/members`, { did: ben.did });
  await post(ben, `/api/problem-sets/${parent}/compartments/${dams}/members`, { did: ann.did });

  const { id: dao } = await post(ben, "/api/dao", {
    problemSetId: child,
    name: "Council",
    compartments: [dams],
    config: { periodSeconds: 3_600 },
  });
  expect((await as(at, cat)("GET", `/api/dao/${dao}`)).status).toBe(404);
  expect((await as(at, ann)("GET", `/api/dao/${dao}`)).status).toBe(200);

  await post(ann, `/api/dao/${dao}/delegate`, { to: ben.did });
  await as(at, ann)("DELETE", `/api/dao/${dao}/delegate`);
  const { id } = await post(ben, `/api/dao/${dao}/proposals`, { title: "Open the sluice" });
  for (const who of [ann, ben]) await post(who, `/api/dao/${dao}/proposals/${id}/vote`, { choice: "for" });
  expect((await as(at, cat)("POST", `/api/dao/${dao}/proposals/${id}/vote`, { choice: "against" })).status).toBe(404);
  at.clock.advance(HOUR);
  const done = await post(ann, `/api/dao/${dao}/proposals/${id}/finalize`);
  const { inputs } = (await as(at, ann)("GET", `/api/dao/${dao}/proposals/${id}/tally`)).body.data;
  expect(done.status).not.toBe("defeated");
  expect(inputs.electors.map((one: { id: string }) => one.id).sort()).toEqual([ann.userId, ben.userId].sort());
});
