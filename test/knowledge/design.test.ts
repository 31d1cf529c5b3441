import fc from "fast-check";
import { atOnce } from "../../core/work/turns.ts";
import { contradictedBy, contradictionsIn, gapsIn, spotsOf } from "../../services/knowledge/design/analysis.ts";
import { differences } from "../../services/knowledge/design/design.ts";
import { acceptFindings } from "../../services/knowledge/design/model.ts";
import type { DesignValues } from "../../services/knowledge/design/sections.ts";
import { eventually, world, type Reply, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { WHOLE } from "./design.requests.ts";
import { put } from "./documents.requests.ts";

let at: TestWorld;
let ann: Person, ben: Person, eve: Person, far: Person;
let set: string, missionId: string;
beforeAll(async () => {
  at = await world();
  [ann, ben, eve, far] = await persons(at, "ann", "ben", "eve", "far");
  set = await openSet(at, ann, { name: "Northern road" });
  await admit(at, set, ben, "planner");
  await admit(at, set, eve, "observer");
  missionId = (await as(at, ann)("POST", "/api/missions", { problemSetId: set, name: "Open the road" })).body.data.id;
  await as(at, ann)("POST", "/api/mdmp/workflows", { missionId });
});
afterAll(() => at.stop());

const errorOf = ({ status, body }: Reply): unknown => [status, body.error?.code];
const design = (who: Person, path = ""): Promise<Reply> => as(at, who)("GET", `/api/design/${set}${path}`);
const write = (who: Person, section: string, fields: object, headers?: Record<string, string>): Promise<Reply> =>
  as(at, who)("PATCH", `/api/design/${set}/${section}`, fields, headers);
const push = (who: Person, body: object = {}): Promise<Reply> =>
  as(at, who)("POST", `/api/design/${set}/push-handoff`, body);
const planned = async (path: string): Promise<any[]> =>
  (await as(at, ann)("GET", `/api/mdmp/workflows/${missionId}/${path}?sort=createdAt`)).body.data;
const writeAll = async (): Promise<void> => {
  for (const [section, fields] of Object.entries(WHOLE)) expect((await write(ben, section, fields)).status).toBe(200);
};

describe("a design that is being written", () => {
  it("says in words what it lacks, field by field, until it lacks nothing", async () => {
    const { status: code, body } = await design(eve, "/status");
    expect([code, body.data.complete, body.data.missing.length]).toEqual([200, false, 15]);
    expect(body.data.missing.map(({ message }: any) => message)).toEqual(
      expect.arrayContaining([
        "The environment section lacks the desired end state.",
        "Nobody has said the assumptions yet; an empty list says that there are none.",
      ]),
    );
    expect(errorOf(await push(ann))).toEqual([409, "INCOMPLETE"]);
    const none = await write(ben, "risks", { risks: [] });
    expect([none.status, none.body.data.risks]).toEqual([200, []]);
    expect((await design(eve, "/status")).body.data.missing).toHaveLength(14);
  });

  it("is written by two in two sections without one being in the other's way, and in one section by turns", async () => {
    const both = await Promise.all([
      write(ann, "environment", { currentState: "Cut." }, { "if-match": '"r0"' }),
      write(ben, "intent", { purpose: "Supply." }, { "if-match": '"r0"' }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const first = both[0]!.headers.get("etag")!;
    expect((await write(ann, "environment", { desiredEndState: "Open." }, { "if-match": first })).status).toBe(200);
    expect(errorOf(await write(ben, "environment", { currentState: "Whole." }, { "if-match": first }))).toEqual([
      412,
      "STALE",
    ]);
    const { data } = (await design(eve)).body;
    const [environment] = data.sections;
    expect(environment).toMatchObject({
      rev: 2,
      currentState: "Cut.",
      desiredEndState: "Open.",
      updatedBy: ann.userId,
    });
    expect((await write(ann, "environment", { desiredEndState: null })).body.data.desiredEndState).toBeUndefined();
  });

  it("refuses what is no field of the section, points that stand twice, and conditions that are not there", async () => {
    const foreign = await write(ben, "risks", { currentState: "Cut." });
    expect([errorOf(foreign), foreign.body.error.details]).toEqual([
      [400, "VALIDATION_ERROR"],
      [{ path: "currentState", message: "The section risks has no such field; it has risks." }],
    ]);
    const twice = { tensions: [{ statement: "Same." }, { statement: "Same." }] };
    expect((await write(ben, "problem", twice)).body.error.details[0].path).toBe("tensions.1");
    const nowhere = { conditions: [], linesOfEffort: [{ statement: "Build.", conditions: ["gone"] }] };
    expect((await write(ben, "approach", nowhere)).body.error.details[0].path).toBe("linesOfEffort.0.conditions.0");
    expect((await write(ben, "nowhere", {})).status).toBe(400);
  });

  it("is edited by those whose role allows it, and is not there for strangers", async () => {
    expect(errorOf(await write(eve, "intent", { purpose: "x" }))).toEqual([403, "FORBIDDEN"]);
    expect(errorOf(await push(ben))).toEqual([403, "FORBIDDEN"]);
    for (const reply of [
      await design(far),
      await design(far, "/handoff"),
      await write(far, "intent", {}),
      await push(far),
    ])
      expect(errorOf(reply)).toEqual([404, "NOT_FOUND"]);
  });
});

describe("the handoff to planning", () => {
  it("shows what would go, goes once, and puts its assumptions and constraints into the plan", async () => {
    await writeAll();
    const before = (await design(eve, "/handoff")).body.data;
    expect(before).toMatchObject({ ready: true, missing: [], gates: [], last: null });
    expect(before.sections.map(({ section, rev }: any) => [section, typeof rev])).toHaveLength(8);
    expect(errorOf(await push(ann, { hash: "0".repeat(64) }))).toEqual([409, "CHANGED"]);
    const [first, again] = await Promise.all([push(ann, { hash: before.hash }), push(ann)]);
    expect([first.status, again.status].sort()).toEqual([200, 201]);
    expect([again.body.data.id, first.body.data.number]).toEqual([first.body.data.id, 1]);
    expect((await design(eve, "/handoff")).body.data).toMatchObject({
      last: { number: 1, by: ann.userId },
      differences: [],
    });

    const assumptions = await eventually(
      () => planned("assumptions"),
      (rows) => rows.length === 2,
    );
    expect(assumptions.find(({ blocking }) => blocking)).toMatchObject({
      statement: "The bridge at Lhota carries 40 tonnes.",
      status: "open",
      createdBy: ann.userId,
      fromDesign: { item: "a1", handoff: 1 },
    });
    const constraints = await eventually(
      () => planned("constraints"),
      (rows) => rows.length === 1,
    );
    expect(constraints[0]).toMatchObject({ statement: "Keep one lane open for ambulances.", kind: "must" });
    const workflow = (await as(at, ann)("GET", `/api/mdmp/workflows/${missionId}`)).body.data;
    expect(workflow.design).toMatchObject({ number: 1, hash: before.hash });
    expect(workflow.blockers.map(({ kind }: any) => kind)).toEqual(["assumption"]);
  });

  it("replaces what went before: accepted stays, open that is gone is withdrawn, and a later process gets it too", async () => {
    const [first] = (await planned("assumptions")).filter(({ blocking }) => blocking);
    await as(at, ann)("PUT", `/api/mdmp/workflows/${missionId}/assumptions/${first.id}/accept`, {});
    const assumptions = [{ id: "a1", statement: "The bridge at Lhota carries 30 tonnes.", blocking: true }];
    await write(ben, "assumptions", { assumptions });
    await write(ben, "guidance", { constraints: [] });
    const { differences: told } = (await design(eve, "/handoff")).body.data;
    expect(told.map(({ field, item, change }: any) => [field, item, change])).toEqual([
      ["assumptions", "a1", "changed"],
      ["assumptions", "a2", "removed"],
      ["constraints", "n1", "removed"],
    ]);
    expect((await push(ann)).body.data.number).toBe(2);
    const rows = await eventually(
      () => planned("assumptions"),
      (all) => all.length === 3 && all.some(({ status }) => status === "withdrawn"),
    );
    expect(rows.map(({ status, statement }) => [status, statement.slice(-9)]).sort()).toEqual(
      [
        ["accepted", "0 tonnes."],
        ["open", "0 tonnes."],
        ["withdrawn", "two days."],
      ].sort(),
    );
    await eventually(
      () => planned("constraints"),
      (all) => all.length === 0,
    );
    const withdrawn = rows.find(({ status }) => status === "withdrawn");
    const accept = `/api/mdmp/workflows/${missionId}/assumptions/${withdrawn.id}/accept`;
    expect((await as(at, ann)("PUT", accept, {})).status).toBe(409);

    // What a person withdrew does not come back by itself.
    const { id: gone } = rows.find(({ status }) => status === "open");
    const reason = { reason: "The bridge fell." };
    await as(at, ann)("POST", `/api/mdmp/workflows/${missionId}/assumptions/${gone}/withdraw`, reason);
    await write(ben, "guidance", { constraints: [{ statement: "No heavy vehicles.", kind: "must-not" }] });
    expect((await push(ann)).body.data.number).toBe(3);
    await eventually(
      () => planned("constraints"),
      (all) => all.length === 1,
    );
    expect((await planned("assumptions")).find(({ id }) => id === gone)).toMatchObject({ status: "withdrawn" });

    const later = (await as(at, ann)("POST", "/api/missions", { problemSetId: set, name: "Later" })).body.data.id;
    await as(at, ann)("POST", "/api/mdmp/workflows", { missionId: later });
    await eventually(
      async () => (await as(at, ann)("GET", `/api/mdmp/workflows/${later}/assumptions`)).body.data,
      (all: any[]) => all.length === 1 && all[0].fromDesign.handoff === 3,
    );
  });

  it("waits for the hard gates that guard it, and for no others", async () => {
    const gate = (fields: object): Promise<Reply> =>
      as(at, ann)("POST", "/api/gates", {
        ...{ problemSetId: set, tab: "design", name: "Release of the design" },
        guards: { kind: "design-handoff", subject: set },
        ...fields,
      });
    expect((await gate({ enforcement: "soft", name: "Advice" })).status).toBe(201);
    const { id } = (await gate({})).body.data;
    expect(errorOf(await gate({ guards: { kind: "design-handoff", subject: missionId } }))).toEqual([
      400,
      "VALIDATION_ERROR",
    ]);
    const red = await openCompartment(at, set, ann, "Red");
    expect((await gate({ compartments: [red] })).status).toBe(409);
    await write(ben, "intent", { purpose: "Supply the villages before the frost." });
    const refused = await push(ann);
    expect([errorOf(refused), refused.body.error.details[0].name]).toEqual([[409, "BLOCKED"], "Release of the design"]);
    expect((await design(eve, "/handoff")).body.data).toMatchObject({ ready: false, gates: [{ id }] });
    expect((await as(at, ben)("POST", `/api/gates/${id}/submit`, {})).status).toBe(200);
    expect((await as(at, ann)("POST", `/api/gates/${id}/approve`, {})).status).toBe(200);
    expect([(await push(ann)).status, (await push(ann)).status]).toEqual([201, 200]);
  });
});

describe("the analysis", () => {
  it("cites the design and the documents that the reader sees, to the letter", async () => {
    const blue = await openCompartment(at, set, ann, "Blue", ben);
    const text = "Survey of the bridges.\nThe bridge at Lhota is closed to traffic since Monday.\nNobody was hurt.";
    await put(at, ann, text, "survey.txt", { problemSetId: set });
    await put(at, ben, `${text} Only for blue.`, "blue.txt", { problemSetId: set, compartments: blue });
    await write(ben, "environment", WHOLE.environment);
    const ask = async (who: Person): Promise<any> =>
      (await as(at, who)("POST", `/api/design/${set}/analyze`, {})).body.data;
    const [hers, his] = [await ask(ben), await ask(eve)];
    expect([hers.method, hers.documents, his.documents]).toEqual(["heuristic", 2, 1]);
    expect(JSON.stringify(his)).not.toContain("Only for blue");
    const found = his.findings.find(({ documents }: any) => documents.length);
    expect(found).toMatchObject({
      kind: "contradiction",
      design: [{ section: "environment", field: "currentState", quote: "The bridge at Lhota is open to traffic." }],
      documents: [{ quote: "The bridge at Lhota is closed to traffic since Monday.", page: 1 }],
    });
    const [{ start, end, quote }] = found.documents;
    expect(text.slice(start, end)).toBe(quote);
  });

  const said = (more: DesignValues = {}): DesignValues =>
    Object.assign({}, ...Object.values(structuredClone(WHOLE)), more) as DesignValues;
  const messages = (of: DesignValues): string[] => {
    const spots = spotsOf(of);
    return [...gapsIn(of, spots), ...atOnce(contradictionsIn(of, spots))].map(({ message }) => message);
  };

  it("finds gaps: a line that leads nowhere, an end state that nothing takes up, a risk that stays", () => {
    const found = messages(
      said({
        desiredEndState: "Supplies reach the villages by road. Children attend school in Dolany.",
        risks: [{ id: "r", statement: "The pumps fail." }],
      }),
    );
    expect(found).toEqual(
      expect.arrayContaining([
        'The line of effort "Settle the height of the road with farmers and water authority." leads to no condition.',
        'No condition, line of effort or key task takes up "Children attend school in Dolany.".',
        'Nothing is done about the risk "The pumps fail.".',
        'Nobody says how the assumption "The rain stops within two days." will be confirmed.',
      ]),
    );
    expect(found.some((message) => message.includes('takes up "Supplies reach'))).toBe(false);
  });

  it("finds statements that exclude each other, and leaves apart what is and what is to be", () => {
    const opposed = messages(
      said({
        keyTasks: [
          { id: "1", statement: "Increase the patrols on the northern road." },
          { id: "2", statement: "Reduce the patrols on the northern road." },
        ],
        constraints: [{ id: "n", statement: "Repair the northern road and its culvert.", kind: "must-not" }],
      }),
    ).filter((message) => /exclude|forbids/.test(message));
    expect(opposed).toHaveLength(2);
    const apart = messages(
      said({
        currentState: "The northern road is closed to trucks.",
        desiredEndState: "The northern road is open to trucks.",
      }),
    );
    expect(apart.filter((message) => /exclude/.test(message))).toEqual([]);
  });

  it("takes from a model only what stands where it says", () => {
    const of = said();
    const spots = spotsOf(of);
    const source = {
      documentId: "d",
      title: "Report",
      version: 1,
      at: "",
      pages: [{ page: 1, start: 0, end: 40 }],
      frame: [],
    };
    const sources = [{ ...source, text: "The frost comes on Thursday night, they say." }];
    const { findings, dropped } = acceptFindings(
      {
        findings: [
          {
            kind: "gap",
            message: "Frost is left out.",
            quotes: ["The frost comes on Thursday night", "Open the northern road by Friday."],
          },
          { kind: "gap", message: "Invented.", quotes: ["The army has no fuel at all."] },
          { kind: "contradiction", message: "One side.", quotes: ["Open the northern road by Friday."] },
          { kind: "gap", message: "Not of the design.", quotes: ["The frost comes on Thursday night"] },
        ],
      },
      spots,
      sources,
    );
    expect([findings.length, dropped]).toEqual([1, 3]);
    const [{ start, end, quote }] = findings[0]!.documents as [any];
    expect(sources[0]!.text.slice(start, end)).toBe(quote);
  });

  it("quotes what stands there, whatever the design and the document say", () => {
    const words = fc.constantFrom(
      "road",
      "bridge",
      "open",
      "closed",
      "not",
      "is",
      "😀",
      "The",
      "40",
      "tonnes",
      ".",
      "\n",
    );
    const text = fc.array(words, { minLength: 1, maxLength: 40 }).map((all) => all.join(" ").trim() || "x");
    fc.assert(
      fc.property(text, text, (one, other) => {
        const of: DesignValues = { currentState: one, desiredEndState: other };
        const spots = spotsOf(of);
        const source = { documentId: "d", title: "t", version: 1, at: "", text: other, pages: [], frame: [] };
        const all = [
          ...gapsIn(of, spots),
          ...atOnce(contradictionsIn(of, spots)),
          ...atOnce(contradictedBy(source, spots)),
        ];
        for (const { design: cited, documents } of all) {
          for (const { field, start, end, quote } of cited) expect(of[field]!.slice(start, end)).toBe(quote);
          for (const { start, end, quote } of documents) expect(other.slice(start, end)).toBe(quote);
        }
      }),
      { numRuns: 100 },
    );
  });
});

it("differences are none against itself, and tell each point of a list", () => {
  const one = [{ id: "x", section: "risks" as const, rev: 1, risks: [{ id: "a", statement: "A" }] }];
  expect(differences(one, structuredClone(one))).toEqual([]);
  expect(differences([], one)).toEqual([
    { section: "risks", field: "risks", change: "added", after: [{ id: "a", statement: "A" }] },
  ]);
});
