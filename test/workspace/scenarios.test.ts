import fc from "fast-check";
import { Ajv2020 } from "ajv/dist/2020.js";
import { permitsOf } from "../../config/roles.ts";
import { systemActor } from "../../core/access/access.ts";
import { Scenario } from "../../services/workspace/problem-sets/scenarios/package.ts";
import { planOf, wavesOf } from "../../services/workspace/problem-sets/scenarios/plan.ts";
import { BUNDLED, usageOf } from "../../services/workspace/problem-sets/scenarios/scenarios.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openSet, person, type Person } from "./people.ts";

let at: TestWorld;
let ann: Person, bob: Person;
beforeAll(async () => {
  at = await world();
  [ann, bob] = [await person(at, "ann"), await person(at, "bob")];
});
afterAll(() => at.stop());

const get = async (who: Person, path: string): Promise<any> => {
  const reply = await as(at, who)("GET", path);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
};
const build = async (who: Person, body: object): Promise<any> => {
  const reply = await as(at, who)("POST", "/api/problem-sets/from-scenario", body);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
};

const SMALL = { id: "small", name: "Small", summary: "A little of everything.", set: { name: "Small set" } };

describe("the package", () => {
  it.each([...BUNDLED.values()].map((scenario) => [scenario.id, scenario] as const))(
    "%s fits the published schema, and uses every part of it",
    async (_id, scenario) => {
      const schema = await get(ann, "/api/problem-sets/scenario-schema");
      const fits = new Ajv2020({ strict: false, formats: { "date-time": true } }).compile(schema);
      expect([fits(scenario), fits.errors]).toEqual([true, null]);
      expect(fits({ ...scenario, missions: [{ key: "Not a key", name: "x" }] })).toBe(false);
      for (const part of [
        "compartments",
        "positions",
        "directions",
        "missions",
        "units",
        "relationships",
        "gates",
        "daos",
        "documents",
        "resources",
      ] as const)
        expect(scenario[part].length).toBeGreaterThan(0);
      for (const part of ["missions", "documents"] as const)
        expect(scenario[part].some(({ compartments }) => compartments.length > 0)).toBe(true);
      expect(
        scenario.positions.some(({ phases }) => phases.length > 0) && scenario.gates.some(({ guards }) => guards),
      ).toBe(true);
    },
  );

  it("is told in full to whoever wants to write their own", async () => {
    const { data: rows, meta } = await get(ann, "/api/problem-sets/scenarios");
    expect(rows.map(({ id }: { id: string }) => id).sort()).toEqual([...BUNDLED.keys()].sort());
    expect(meta.total).toBe(3);
    const { data: whole } = await get(ann, "/api/problem-sets/scenarios/river-flood");
    expect(whole).toEqual(BUNDLED.get("river-flood"));
    expect((await as(at, ann)("GET", "/api/problem-sets/scenarios/none")).status).toBe(404);
  });

  it.each([
    [{ missions: [{ key: "m", name: "M", compartments: ["gone"] }] }, "scenario.missions.0.compartments.0"],
    [
      {
        units: [
          { key: "u", name: "U" },
          { key: "u", name: "V" },
        ],
      },
      "scenario.units.1.key",
    ],
    [
      { units: [{ key: "u", name: "U" }], relationships: [{ superior: "u", subordinate: "v", kind: "opcon" }] },
      "scenario.relationships.0.subordinate",
    ],
    [{ gates: [{ tab: "hierarchy", name: "G" }] }, "scenario.gates.0.tab"],
    [{ gates: [{ tab: "mdmp", name: "G", guards: { mission: "none" } }] }, "scenario.gates.0.guards.mission"],
    [
      {
        compartments: [{ key: "c", name: "C" }],
        missions: [{ key: "m", name: "M" }],
        gates: [{ tab: "mdmp", name: "G", guards: { mission: "m" }, compartments: ["c"] }],
      },
      "scenario.gates.0.compartments",
    ],
    [{ positions: [{ title: "A" }, { title: "A" }] }, "scenario.positions.1.title"],
    [{ missions: [{ key: "m", name: "M", startsInDays: 2, endsInDays: 1 }] }, "scenario.missions.0.endsInDays"],
    [
      { resources: [{ key: "r", name: "R", kind: "vessel", quantity: -1, unit: "boats" }] },
      "scenario.resources.0.quantity",
    ],
    [{ daos: [{ key: "d", name: "D", config: { quorumBps: 10_001 } }] }, "scenario.daos.0.config.quorumBps"],
    [{ nonsense: 1 }, "scenario.nonsense"],
  ])("refuses %j, naming the field", async (fields, path) => {
    const reply = await as(at, ann)("POST", "/api/problem-sets/from-scenario", { scenario: { ...SMALL, ...fields } });
    expect(reply.status).toBe(400);
    expect(reply.body.error.details.map((one: { path: string }) => one.path)).toContain(path);
  });

  it("is one of the bundled ones or one's own, not both, not neither", async () => {
    for (const body of [{}, { scenarioId: "none" }, { scenarioId: "river-flood", scenario: SMALL }]) {
      const reply = await as(at, ann)("POST", "/api/problem-sets/from-scenario", body);
      expect([reply.status, reply.body.error.details[0].path]).toEqual([400, "scenarioId"]);
    }
  });

  it("gives a plan in which each step needs only what was made before it", () => {
    const keys = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(keys, keys, keys, fc.nat(3), (compartments, missions, units, twist) => {
        const some = (names: string[]) => names.slice(0, twist % (names.length + 1));
        const scenario = Scenario.parse({
          ...SMALL,
          compartments: compartments.map((key) => ({ key, name: key })),
          missions: missions.map((key) => ({
            key,
            name: key,
            compartments: some(compartments),
            process: { gates: [{ phase: "coa-analysis", name: "G" }], assumptions: [{ statement: "A" }] },
          })),
          units: units.map((key) => ({ key, name: key })),
          relationships: units
            .slice(1)
            .map((key) => ({ superior: units[0], subordinate: key, kind: "organic", mission: missions[0] })),
          gates: missions.map((mission) => ({ tab: "mdmp", name: mission, guards: { mission } })),
          daos: [{ key: "d", name: "D", roles: [{ name: "R" }] }],
          documents: [{ key: "p", title: "P", text: "T", compartments: some(compartments) }],
          resources: [
            { key: "r", name: "R", kind: "vessel", quantity: 3, unit: "boats", compartments: some(compartments) },
          ],
        });
        const plan = planOf(scenario);
        const before: Record<string, string> = {};
        for (const chains of wavesOf(plan)) {
          const made = chains.map((chain) => {
            // Chains of a wave stand side by side: none may need what another makes.
            const ids = { ...before };
            for (const step of chain) {
              expect(
                JSON.stringify(step.params({ ids, now: 0 }), (_, value) => (value === undefined ? "MISSING" : value)),
              ).not.toContain("MISSING");
              expect(ids).not.toHaveProperty([step.key]);
              ids[step.key] = step.key;
            }
            return ids;
          });
          Object.assign(before, ...made);
        }
        expect(Object.keys(before).sort()).toEqual(plan.map(({ key }) => key).sort());
        expect(plan.map(({ key }) => key)).toEqual(planOf(scenario).map(({ key }) => key));
      }),
      { numRuns: 50 },
    );
  });
});

describe("from a scenario", () => {
  it.each([...BUNDLED.keys()])(
    "%s is built whole, and nobody is read into its compartments by it",
    async (scenarioId) => {
      const scenario = BUNDLED.get(scenarioId)!;
      const built = await build(ann, { scenarioId, name: "Ours" });
      expect(built.compartments.map(({ wants }: { wants: string[] }) => wants)).toEqual(
        scenario.compartments.map(({ wants }) => wants),
      );
      const id = built.problemSetId;
      const { data: set } = await get(ann, `/api/problem-sets/${id}`);
      expect(set.name).toBe("Ours");
      const { data: members } = await get(ann, `/api/problem-sets/${id}/members`);
      expect(
        members.map(({ userId, role, compartments }: any) => ({ userId, role, compartments: compartments ?? [] })),
      ).toEqual([{ userId: ann.userId, role: "commander", compartments: [] }]);

      const total = async (who: Person, path: string) => (await get(who, path)).meta.total as number;
      const open = (rows: readonly { compartments: string[] }[]) =>
        rows.filter(({ compartments }) => compartments.length === 0).length;
      const lists = [
        ["missions", `/api/missions?problemSetId=${id}`],
        ["units", `/api/command/units?problemSetId=${id}`],
        ["gates", `/api/gates/${id}`],
        ["directions", `/api/inheritance/directions?problemSetId=${id}`],
        ["daos", `/api/dao?problemSetId=${id}`],
      ] as const;
      for (const [part, path] of lists) expect([part, await total(ann, path)]).toEqual([part, open(scenario[part])]);
      expect(await total(ann, `/api/problem-sets/${id}/positions`)).toBe(scenario.positions.length);

      // Whoever is read into all of them sees all of it.
      await admit(at, id, bob, "deputy");
      for (const compartment of built.compartments)
        expect(
          (
            await as(at, ann)("POST", `/api/problem-sets/${id}/compartments/${compartment.id}/members`, {
              did: bob.did,
            })
          ).status,
        ).toBe(200);
      for (const [part, path] of [...lists])
        expect([part, await total(bob, path)]).toEqual([part, scenario[part].length]);
      const [hers, his] = [
        (await get(ann, `/api/problem-sets/${id}/linked-scenario`)).data,
        (await get(bob, `/api/problem-sets/${id}/linked-scenario`)).data,
      ];
      expect([hers.documents.length, his.documents.length]).toEqual([
        open(scenario.documents),
        scenario.documents.length,
      ]);
      expect([hers.resources.length, his.resources.length]).toEqual([
        open(scenario.resources),
        scenario.resources.length,
      ]);
      // Reference texts are documents like any other, behind the same compartments, and by whoever built the set.
      const texts = async (who: Person): Promise<any[]> =>
        (await get(who, `/api/documents?problemSetId=${id}&limit=100`)).data;
      const [seen, all] = [await texts(ann), await texts(bob)];
      expect([seen.length, all.length]).toEqual([open(scenario.documents), scenario.documents.length]);
      const [first] = scenario.documents;
      const document = seen.find(({ title }) => title === first!.title);
      expect(document).toMatchObject({ createdBy: ann.userId, format: "text" });
      const read = await eventually(
        async () => (await as(at, ann)("GET", `/api/documents/${document.id}/text`)).body.data,
        ({ status }) => status === "ready",
      );
      expect(read.text).toBe(first!.text);
      // What there is to work with is registered, and what is used up has its level.
      const isStock = ({ kind }: { kind: string }) => kind === "supply" || kind === "fund";
      for (const [who, sees] of [
        [ann, (one: { compartments: string[] }) => one.compartments.length === 0],
        [bob, () => true],
      ] as const) {
        const wanted = scenario.resources.filter(sees);
        const resources = (await get(who, `/api/resources?problemSetId=${id}&limit=100`)).data;
        expect(resources.map(({ name }: { name: string }) => name).sort()).toEqual(
          wanted
            .filter((one) => !isStock(one))
            .map(({ name }) => name)
            .sort(),
        );
        const stocks = (await get(who, `/api/resources/consumables?problemSetId=${id}&limit=100`)).data;
        expect(stocks.map(({ name, level, unit }: any) => [name, level, unit]).sort()).toEqual(
          wanted
            .filter(isStock)
            .map(({ name, quantity, unit }) => [name, quantity, unit])
            .sort(),
        );
      }
      expect(hers).toMatchObject({ scenarioId, built: true, linkedBy: ann.userId });
      expect(hers.documents.find(({ title }: { title: string }) => title === scenario.documents[0]!.title).text).toBe(
        scenario.documents[0]!.text,
      );
    },
  );

  it("says of a resource how many there are and where, in the words of the register", async () => {
    const { problemSetId } = await build(ann, { scenarioId: "river-flood" });
    const { data: rows } = await get(ann, `/api/resources?problemSetId=${problemSetId}&limit=100`);
    expect(rows.find(({ name }: { name: string }) => name === "Rescue boats")).toMatchObject({
      kind: "vessel",
      readiness: "ready",
      createdBy: ann.userId,
      description: "14 boats. Boathouse Dolany. Nine with outboard engines of 40 kW and more.",
    });
  });

  it("begins the decision process with its gates, assumptions and guards", async () => {
    const { problemSetId } = await build(ann, { scenarioId: "river-flood" });
    const { data: missions } = await get(ann, `/api/missions?problemSetId=${problemSetId}`);
    const { data: state } = await get(ann, `/api/mdmp/workflows/${missions[0].id}`);
    expect(state.phase).toBe("receipt-of-mission");
    expect(state.gates.map(({ phase, name }: { phase: string; name: string }) => `${phase}: ${name}`)).toEqual([
      "mission-analysis: Population figures reconciled",
      "coa-analysis: Routes driven",
      "coa-approval: Shelters confirmed in writing",
    ]);
    expect(state.blockers.map(({ message }: { message: string }) => message)).toEqual([
      'The blocking assumption "The bridge at Lhota carries buses until the gauge at Dolany reaches 5.2 metres." is not accepted.',
      'The decision gate "Evacuation order released" is open.',
    ]);
    const validation = (await as(at, ann)("POST", `/api/command/validate-hierarchy/${missions[0].id}`)).body.data;
    expect(validation.findings.map(({ code }: { code: string }) => code)).toContain("TWO_SUPERIORS");
  });

  it("stands below a set that one may edit, in the mode one is in", async () => {
    const parentId = await openSet(at, ann, { name: "Above" });
    const { problemSetId } = await build(ann, { scenario: SMALL, parentId });
    expect((await get(ann, `/api/problem-sets/${problemSetId}`)).data).toMatchObject({
      parentId,
      training: false,
      name: "Small set",
    });
    expect((await as(at, bob)("POST", "/api/problem-sets/from-scenario", { scenario: SMALL, parentId })).status).toBe(
      404,
    );
    await as(at, bob)("PUT", "/api/user-mode", { mode: "training" });
    const training = await build(bob, { scenario: SMALL });
    expect((await get(bob, `/api/problem-sets/${training.problemSetId}`)).data.training).toBe(true);
    await as(at, bob)("PUT", "/api/user-mode", { mode: "operational" });
  });

  it("says which rule of a domain refused a part, and puts what was built into the archive", async () => {
    const bad = {
      ...SMALL,
      directions: [{ kind: "intent", title: "I", text: "T" }],
      daos: [
        {
          key: "d",
          name: "D",
          config: { amendment: "vote" },
          roles: [{ name: "Refused: this DAO is amended by vote" }],
        },
      ],
    };
    const reply = await as(at, ann)("POST", "/api/problem-sets/from-scenario", { scenario: bad });
    expect([reply.status, reply.body.error.code]).toEqual([422, "SCENARIO_REJECTED"]);
    expect(reply.body.error.message).toContain("dao/d/role/0");
    expect((await get(ann, `/api/problem-sets/${reply.body.error.details.problemSetId}`)).data.status).toBe("archived");
  });

  it("tells its asker alone how it went, as long as they are a member", async () => {
    const { problemSetId, job, name } = await build(ann, { scenario: SMALL });
    const path = `/api/problem-sets/scenario-builds/${encodeURIComponent(job)}`;
    expect((await get(ann, path)).data).toMatchObject({
      status: "completed",
      stage: "ready",
      problemSetId,
      result: { problemSetId, name },
    });
    expect((await as(at, bob)("GET", path)).status).toBe(404);
    await admit(at, problemSetId, bob, "commander");
    expect((await as(at, bob)("DELETE", `/api/problem-sets/${problemSetId}/members/${ann.did}`)).status).toBeLessThan(
      300,
    );
    expect((await as(at, ann)("GET", path)).status).toBe(404);
  });
});

describe("an attached scenario", () => {
  it("is reference: it builds nothing, leaves out what lies in compartments, and is replaced by another", async () => {
    const id = await openSet(at, ann);
    expect((await get(ann, `/api/problem-sets/${id}/linked-scenario`)).data).toBeNull();
    const attached = await as(at, ann)("POST", `/api/problem-sets/${id}/scenario`, { scenarioId: "river-flood" });
    expect(attached.status).toBe(201);
    const flood = BUNDLED.get("river-flood")!;
    expect(attached.body.data.documents.map(({ title }: { title: string }) => title)).toEqual(
      flood.documents.filter(({ compartments }) => !compartments.length).map(({ title }) => title),
    );
    expect((await get(ann, `/api/missions?problemSetId=${id}`)).meta.total).toBe(0);
    await as(at, ann)("POST", `/api/problem-sets/${id}/scenario`, {
      scenario: { ...SMALL, documents: [{ key: "d", title: "Own", text: "Text" }] },
    });
    const { data: link } = await get(ann, `/api/problem-sets/${id}/linked-scenario`);
    expect([link.scenarioId, link.built, link.documents.map(({ title }: { title: string }) => title)]).toEqual([
      "small",
      false,
      ["Own"],
    ]);
    expect((await as(at, bob)("GET", `/api/problem-sets/${id}/linked-scenario`)).status).toBe(404);
    await admit(at, id, bob, "observer");
    expect((await as(at, bob)("POST", `/api/problem-sets/${id}/scenario`, { scenarioId: "river-flood" })).status).toBe(
      403,
    );
  });

  it("does not take the place of the one a set was built from", async () => {
    const { problemSetId } = await build(ann, { scenario: SMALL });
    expect(
      (await as(at, ann)("POST", `/api/problem-sets/${problemSetId}/scenario`, { scenarioId: "river-flood" })).status,
    ).toBe(409);
  });
});

describe("counts of use", () => {
  it("are over one's own sets: those of others change nothing", async () => {
    const carol = await person(at, "carol");
    const path = "/api/problem-sets/scenario-usage-counts";
    const sets = async (who: Person, scenarioId: string) =>
      (await get(who, path)).data.find((row: { scenarioId: string }) => row.scenarioId === scenarioId)?.sets as
        | number
        | undefined;
    await build(ann, { scenario: { ...SMALL, id: "anns-own" } });
    const admin = await at.http("GET", path);
    expect(admin.body.meta.total).toBe(0);
    expect([await sets(carol, "river-flood"), await sets(carol, "anns-own")]).toEqual([0, undefined]);
    await build(carol, { scenarioId: "river-flood" });
    expect([await sets(carol, "river-flood"), await sets(ann, "anns-own")]).toEqual([1, 1]);
  });

  it("are the same in whatever order they come, and of packages of one's own name those that most sets use", () => {
    const Uses = fc.uniqueArray(
      fc.record({
        scenarioId: fc.oneof(fc.constantFrom("river-flood", "__proto__"), fc.string()),
        name: fc.constant("N"),
        sets: fc.nat(),
      }),
      { selector: ({ scenarioId }) => scenarioId, maxLength: 300, size: "max" },
    );
    fc.assert(
      fc.property(Uses, (uses) => {
        const { rows, more } = usageOf(uses);
        const own = rows.filter(({ bundled }) => !bundled);
        const others = uses.filter(({ scenarioId }) => !rows.some((row) => row.scenarioId === scenarioId));
        expect(usageOf(uses.toReversed())).toEqual({ rows, more });
        expect(rows.find(({ scenarioId }) => scenarioId === "river-flood")!.sets).toBe(
          uses.find(({ scenarioId }) => scenarioId === "river-flood")?.sets ?? 0,
        );
        expect([own.length <= 100, more]).toEqual([true, others.length > 0]);
        for (const { sets } of others) expect(sets).toBeLessThanOrEqual(Math.min(...own.map((row) => row.sets)));
      }),
      { numRuns: 50 },
    );
  });
});

describe("agents and teams", () => {
  it("are those that the agents domain names for a set of one's own; without one, those of every set", async () => {
    const dan = await person(at, "dan");
    const [one, other] = [await openSet(at, dan), await openSet(at, dan)];
    const names = async (path: string) =>
      (await as(at, dan)("GET", `/api/problem-sets/${path}`)).body.data.map(({ name }: { name: string }) => name);
    expect([await names("agents/list"), await names("teams/list")]).toEqual([[], []]);
    for (const [problemSetId, name, teams] of [
      [one, "Scout", ["Red team"]],
      [other, "Clerk", []],
    ])
      expect((await as(at, dan)("POST", "/api/agents", { problemSetId, name, teams })).status).toBe(201);
    expect([await names("agents/list"), await names("teams/list")]).toEqual([[], []]);
    for (const [id, agents, teams] of [
      [one, ["Scout"], ["Red team"]],
      [other, ["Clerk"], []],
    ])
      expect([await names(`agents/list?problemSetId=${id}`), await names(`teams/list?problemSetId=${id}`)]).toEqual([
        agents,
        teams,
      ]);
    expect((await as(at, dan)("GET", "/api/problem-sets/teams/list?problemSetId=none")).status).toBe(404);
  });
});

describe("a step of the mesh's own work", () => {
  it("done again makes nothing twice, and people cannot claim to be one", async () => {
    const meta = { actor: { ...systemActor("test"), userId: ann.userId }, repeats: "job/1" };
    const first: any = await at.mesh.broker.call("problem-sets.create", { name: "Once" }, { meta: { ...meta } });
    const again: any = await at.mesh.broker.call("problem-sets.create", { name: "Once" }, { meta: { ...meta } });
    expect(again.id).toBe(first.id);
    const hers = {
      actor: { userId: ann.userId, roles: ["analyst"], via: "jwt" as const, permits: permitsOf(["analyst"]) },
      repeats: "job/2",
    };
    const [one, two]: any[] = [
      await at.mesh.broker.call("problem-sets.create", { name: "Twice" }, { meta: { ...hers } }),
      await at.mesh.broker.call("problem-sets.create", { name: "Twice" }, { meta: { ...hers } }),
    ];
    expect(one.id).not.toBe(two.id);
  });
});
