import fc from "fast-check";
import { figuresOf, organisationPairs } from "../../../bench/judgement/names/score.ts";
import { figuresOf as told, JUDGES, namesOf } from "../../../bench/judgement/names/strangers.ts";
import { compareNames } from "../../../core/text/names/compare.ts";
import { prepareName, type NameKind } from "../../../core/text/names/prepared.ts";
import { atOnce } from "../../../core/work/turns.ts";
import { duplicatesIn } from "../../../services/knowledge/graph/resolution/duplicates.ts";
import { bundleOf } from "../../../services/knowledge/graph/stix/exporting.ts";
import { sorted, statementsOf } from "../../../services/knowledge/graph/stix/importing.ts";
import { viewOf } from "../../../services/knowledge/graph/view.ts";
import { identity } from "./stix.ts";
import { AT, row } from "./rows.ts";

it("names are told to be the same, and look-alikes not, in both kinds", () => {
  for (const kind of ["person", "organisation"] as const) {
    const { precision, recall, missed } = figuresOf(undefined, kind);
    expect({ missed, good: precision >= 0.95 && recall >= 0.95 }).toMatchObject({ good: true });
  }
});

const person = (id: string, name: string, source = `document:${id}`) => [
  row({ subject: id, predicate: "name", value: name, source }),
  row({ subject: id, predicate: "type", value: "person", source }),
];
const duplicates = (rows: ReturnType<typeof row>[]) => atOnce(duplicatesIn(atOnce(viewOf("set", rows, [])), []));
const crowd = Array.from({ length: 30 }, (_, n) =>
  person(`crowd ${n}`, `${"ABCDEFGHIJ"[n % 10]}nn Nr${n}uster`),
).flat();

it("organisations are told apart from what belongs to them, and are one in any legal form", () => {
  for (const half of ["tune", "held"] as const) expect(figuresOf(organisationPairs(half)).f1).toBeGreaterThan(0.92);
});

describe("what units, places, facilities, vehicles, sensors and resources are called", () => {
  it("is told to be the same, however it is shortened, ordered or translated: pairs of strangers", () => {
    for (const [set, found] of [
      ["stranger", 0.9],
      ["second", 0.69],
      ["third", 0.75],
      ["fourth", 0.54],
    ] as const)
      for (const judge of Object.values(JUDGES)) {
        const { right, told: shown, all } = told(namesOf(set), judge);
        expect({ set, right: right / shown > 0.79, found: right / all > found }).toEqual({
          ...{ set, right: true, found: true },
        });
      }
  });

  const score = (one: string, other: string): number =>
    compareNames(prepareName(one, "designation"), prepareName(other, "designation")).score;

  it.each([
    ["3 Coy 12 Engr", "3rd Company, 12th Engineer Battalion", true],
    ["Kompanie 3", "3rd Coy", true],
    ["FOB Harrier", "Forward Operating Base Harrier", true],
    ["Krankenhaus Lhota", "Lhota hospital", true],
    ["Pump 03", "pump no. 3", true],
    ["Hill 417", "Pt 417", true],
    ["Leo 2A6", "Leopard 2 A6", true],
    ["12th Engineer Battalion", "2nd Company, 12th Engineer Battalion", false],
    ["1/5 Inf Bn", "5/1 Inf Bn", false],
    ["Upper Lhota dam", "Lower Lhota dam", false],
    ["Camp N", "Camp South", false],
    ["Sensor B4", "Sensor B-05", false],
    ["Lhota", "Lhota bridge", false],
    ["3/21 Inf Battalion", "3rd Bn, 21st Infantry", true],
    ["1st Platoon, 2nd Company", "2nd Platoon, 1st Company", false],
    ["Dnipro (formerly Dnipropetrovsk)", "Dnepropetrovsk", true],
    ["M/V Stella di Mare", "Stella di Mare (ferry)", true],
    ["Glucose 500 mg", "Glucose 0.5 g", true],
    ["Road bridge at Lhota", "Railway bridge at Lhota", false],
  ])("%s and %s: %p", (one, other, same) => {
    expect(score(one, other) >= 0.76).toBe(same);
  });

  it("is alike in both directions, to itself wholly, and whatever is written", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "3 Coy",
        "12th Engr Bn",
        "B4",
        "Camp N",
        "2/7",
        "Delta",
        "upper",
        "Krankenhaus",
        "T-72B3",
        "×",
        "no.",
      ),
      fc.string({ maxLength: 12, unit: "grapheme" }),
    );
    const name = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
    const kind = fc.constantFrom<NameKind>("person", "organisation", "designation");
    fc.assert(
      fc.property(name, name, kind, (one, other, as) => {
        const [ours, theirs] = [prepareName(one, as), prepareName(other, as)];
        const { score: there } = compareNames(ours, theirs);
        expect(there).toBeGreaterThanOrEqual(0);
        expect(there).toBeLessThanOrEqual(1);
        expect(compareNames(theirs, ours).score).toBeCloseTo(there, 9);
        expect(compareNames(ours, prepareName(one, as)).score).toBe(1);
      }),
    );
  });
});

describe("candidates", () => {
  it("are found by a name alone, which is said; those with one identifier are one already", () => {
    const rare = [...person("r1", "Xaver Quandt"), ...person("r2", "Xaver Quandt-Ott")];
    const both = [...person("i1", "Ola Dahl"), ...person("i2", "Olaf Dahl")];
    const ids = ["i1", "i2"].map((subject) => row({ subject, predicate: "identifier", value: "passport:77" }));
    const { candidates } = duplicates([...crowd, ...rare, ...both, ...ids]);
    const found = candidates.map(({ one, other }) => [one.id, other.id].join());
    // The same identifier joins them by rule: there is nothing left to ask.
    expect(found).not.toContain("i1,i2");
    const [named] = candidates.filter(({ one }) => one.id === "r1");
    expect([named?.nameAlone, named?.why.map(({ feature }) => feature)]).toEqual([true, ["name"]]);
  });

  it("are found of one name of several words, though rules read it as a person here and as a place there", () => {
    const place = (id: string, name: string) => [
      row({ subject: id, predicate: "name", value: name, source: `document:${id}` }),
      row({ subject: id, predicate: "type", value: "place", source: `document:${id}` }),
    ];
    const rows = [
      ...[...person("p1", "Chilia Veche"), ...place("p2", "Chilia Veche")],
      // One word names many things.
      ...[...person("w1", "Jordan"), ...place("w2", "Jordan")],
    ];
    const { candidates } = duplicates([...crowd, ...rows]);
    const found = candidates.filter(({ one }) => /^[pw]/.test(one.id));
    expect(found.map(({ one, other }) => [one.id, other.id].sort())).toEqual([["p1", "p2"]]);
    expect(found[0]).toMatchObject({
      nameAlone: true,
      why: [{ feature: "name" }],
      whyNot: [{ feature: "type", because: expect.stringMatching(/person and place|place and person/) }],
    });
  });

  it("that fit two who are apart are told to be ambiguous", () => {
    const rows = [...person("m", "J. Halloran"), ...person("j", "James Halloran"), ...person("k", "Julia Halloran")];
    const { candidates } = duplicates([...crowd, ...rows]);
    const of = candidates.filter(({ one, other }) => [one.id, other.id].includes("m"));
    expect(of).toHaveLength(2);
    expect(
      of
        .map(({ ambiguous }) => ambiguous.map(({ id }) => id))
        .flat()
        .sort(),
    ).toEqual(["j", "k"]);
  });

  it("leave out keys that too many share, and say so", () => {
    const many = Array.from({ length: 70 }, (_, n) => person(`n${n}`, `Given${n}x Smith`)).flat();
    expect(duplicates(many).dropped).toContainEqual({ key: "part:smit", entities: 70 });
  });
});

describe("STIX", () => {
  it("comes out the same to the byte in whatever order statements were stored, and says where each object lies", () => {
    const rows = [...person("a", "Ann Quist"), ...person("b", "Bo Lund")];
    const secret = row({ subject: "a", predicate: "met", object: "b", compartments: ["red"], source: "document:s" });
    const out = (given: typeof rows) => {
      const view = atOnce(viewOf("set", given, []));
      const reports = [{ documentId: "a", title: "A plan", at: AT }];
      return bundleOf({
        problemSetId: "set",
        nodes: [...view.nodes.values()],
        edges: view.edges,
        reports,
        imported: [],
      });
    };
    const bundle = out([...rows, secret]);
    expect(JSON.stringify(out([secret, ...rows.toReversed()]))).toBe(JSON.stringify(bundle));
    const ofType = (type: string) => bundle.objects.filter((object) => object.type === type);
    const [marking] = ofType("marking-definition");
    expect(ofType("relationship").map((object) => object["object_marking_refs"])).toEqual([[marking!.id]]);
    const people = ofType("identity").filter((object) => object["identity_class"] === "individual");
    expect(people.map((object) => object["object_marking_refs"])).toEqual([undefined, undefined]);
    const named = people.find(({ name }) => name === "Ann Quist")!;
    expect(ofType("report")).toEqual([expect.objectContaining({ name: "A plan", object_refs: [named.id] })]);
  });

  it("takes the later of two with one id, and refuses what is none, one by one", () => {
    const one = identity("individual", "Ann Quist");
    const later = { ...one, modified: "2027-01-01T00:00:00.000Z", name: "Ann Quist-Lund", confidence: 40 };
    const { taken, refused } = sorted([later, one, null, { ...one, type: "malware" }]);
    expect(taken).toEqual([later]);
    expect(refused.map(({ index, code }) => [index, code])).toEqual([
      [2, "NO_OBJECT"],
      [3, "BAD_TYPE"],
    ]);
    const said = statementsOf({ problemSetId: "set", compartments: [] }, later, "bundle", AT);
    expect(said.map(({ predicate, value, confidence }) => [predicate, value, confidence])).toEqual([
      ["name", "Ann Quist-Lund", 0.4],
      ["type", "person", 0.4],
    ]);
  });
});
