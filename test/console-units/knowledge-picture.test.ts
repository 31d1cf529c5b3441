import { shortestWay, stepsOf } from "../../console/knowledge/graph/paths.ts";
import { chosenAround, linesOf } from "../../console/knowledge/picture/choosing.ts";
import { withRoom } from "../../console/knowledge/picture/labels.ts";
import { fitted, laidOut, nextTowards, onPage, zoomed } from "../../console/knowledge/picture/layout.ts";
import { progressOf, treesOf } from "../../console/knowledge/strategy/tree.ts";
import { disagreementsOf, factsOf, pairsOf } from "../../console/knowledge/entity/statements.ts";

// What pictures of the graph are made of, and how statements are told as text.

const at = "2026-11-28T12:00:00.000Z";
const node = (id: string, degree = 1): any => ({ id, name: id, type: "person", degree });
const edge = (from: string, relation: string, to: string, more: object = {}): any => ({
  ...{ id: `${from}~${relation}~${to}`, from, relation, to, sign: 0, confidence: 0.7, voices: 1, since: at, last: at },
  ...more,
});

describe("a picture", () => {
  const ids = Array.from({ length: 40 }, (_none, which) => `e${which}`);
  const ends = ids.slice(1).map((to, which) => ({ from: ids[Math.floor(which / 3)]!, to }));
  const places = laidOut(ids, ends, { centre: "e0" });

  it("is the same for the same graph, with the centre in the middle and nobody on another's place", () => {
    expect([...laidOut(ids, ends, { centre: "e0" })]).toEqual([...places]);
    expect(places.get("e0")).toEqual({ x: 0, y: 0 });
    const all = [...places.values()];
    for (const [which, one] of all.entries())
      for (const other of all.slice(which + 1))
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(20);
  });

  it("fits its frame, and stays where it is pointed at when it comes nearer", () => {
    const frame = { width: 800, height: 500 };
    const view = fitted(places.values(), frame);
    for (const place of places.values()) {
      const { x, y } = onPage(place, view);
      expect([x >= 0 && x <= frame.width, y >= 0 && y <= frame.height]).toEqual([true, true]);
    }
    expect(fitted([], frame)).toEqual({ scale: 1, left: 400, top: 250 });
    const fixed = onPage({ x: 10, y: 20 }, view);
    const { x, y } = onPage({ x: 10, y: 20 }, zoomed(view, 2, fixed));
    expect([x, y].map(Math.round)).toEqual([fixed.x, fixed.y].map(Math.round));
  });

  it("is gone through by arrows, to what lies that way", () => {
    const cross = new Map([
      ["middle", { x: 0, y: 0 }],
      ["right", { x: 50, y: 5 }],
      ["farther", { x: 120, y: 0 }],
      ["up", { x: 3, y: -60 }],
    ]);
    expect(nextTowards(cross, "middle", "right")).toBe("right");
    expect(nextTowards(cross, "right", "right")).toBe("farther");
    expect(nextTowards(cross, "middle", "up")).toBe("up");
    expect(nextTowards(cross, "middle", "left")).toBeUndefined();
    expect(nextTowards(cross, "nobody", "left")).toBeUndefined();
  });

  it("shows texts where there is room, in the order in which they are asked", () => {
    const told = withRoom(
      [
        { id: "first", text: "Marek Dvorak", places: [{ x: 0, y: 0 }] },
        {
          id: "above",
          text: "Ines Amaro",
          places: [
            { x: 20, y: 4 },
            { x: 20, y: -30 },
          ],
        },
        { id: "nowhere", text: "Lissen", places: [{ x: -10, y: 2 }] },
        { id: "covered", text: "Tarn", places: [{ x: 300, y: 0 }] },
      ],
      [{ x: 300, y: 0, radius: 8 }],
    );
    expect([...told.keys()]).toEqual(["first", "above"]);
    expect(told.get("above")).toEqual({ x: 20, y: -30 });
  });
});

describe("what is drawn", () => {
  const edges = [edge("a", "met", "b"), edge("b", "met", "c"), edge("c", "met", "d")];

  it("is the centre, then its neighbours, then theirs, and says how many are left", () => {
    const nodes = [node("d", 9), node("c", 5), node("b", 1), node("a", 1)];
    const part = chosenAround({ nodes, edges, total: { nodes: 10 } }, "a", 3);
    expect([part.nodes.map(({ id }) => id), part.edges.map(({ id }) => id), part.left]).toEqual([
      ["a", "b", "c"],
      ["a~met~b", "b~met~c"],
      7,
    ]);
  });

  it("is one line for two entities, with an arrow only where all goes one way", () => {
    const lines = linesOf([
      edge("a", "supports", "b", { sign: 1, voices: 2 }),
      edge("b", "accuses", "a", { sign: -0.7 }),
      edge("a", "leads", "c"),
      edge("a", "met", "d", { sign: 0.3 }),
    ]);
    expect(
      lines.map(({ words, tone, isMixed, isDirected, voices }) => [words, tone, isMixed, isDirected, voices]),
    ).toEqual([
      ["supports, accuses", "friendly", true, false, 2],
      ["leads", "neutral", false, true, 1],
      ["met", "friendly", false, false, 1],
    ]);
  });

  it("can be a shortest way, with what joins its steps", () => {
    const all = [...edges, edge("a", "leads", "b"), edge("a", "met", "x"), edge("x", "met", "d")];
    expect(shortestWay(all, "a", "d")).toEqual(["a", "x", "d"]);
    expect(shortestWay(edges, "d", "a")).toEqual(["d", "c", "b", "a"]);
    expect(shortestWay(edges, "a", "far")).toBeUndefined();
    expect(stepsOf(all, ["a", "b", "c"]).map((step) => step.length)).toEqual([2, 1]);
  });
});

describe("statements", () => {
  const related = (relation: string, direction: "out" | "in", id: string, sign = 0, voices = 1): any => ({
    ...{ id: `${relation} ${id}`, relation, direction, entity: { id, name: id, type: "person" }, sign, voices },
    ...{ confidence: 0.7, since: at, last: at },
  });
  const relations = [
    related("supports", "out", "Tarn", 1, 2),
    related("accuses", "in", "Tarn", -0.7),
    related("leads", "in", "Dvorak"),
    related("leads", "in", "Novak", 0, 3),
  ];

  it("are told by the other end, the best supported first", () => {
    expect(pairsOf(relations).map(({ other, relations: all, isMixed }) => [other.id, all.length, isMixed])).toEqual([
      ["Novak", 1, false],
      ["Tarn", 2, true],
      ["Dvorak", 1, false],
    ]);
  });

  it("say where sources disagree", () => {
    const said = (predicate: string, value: string): any => ({ predicate, value, id: `${predicate} ${value}` });
    const facts = factsOf([
      said("occurred", "May"),
      said("name", "The 4th"),
      said("occurred", "June"),
      said("name", "The 4th"),
    ]);
    expect(facts.map(({ predicate, value, said: all }) => [predicate, value, all.length])).toEqual([
      ["name", "The 4th", 2],
      ["occurred", "May", 1],
      ["occurred", "June", 1],
    ]);
    const types = [
      { type: "unit", statements: 3 },
      { type: "organisation", statements: 1 },
    ];
    expect(disagreementsOf({ name: "The 4th", types, relations } as any, facts)).toEqual([
      "Sources disagree on what The 4th is: military unit (3) and organisation (1).",
      "Of The 4th and Tarn, sources tell both friendly and hostile things.",
      "More than one is said to lead The 4th: Dvorak and Novak.",
      "Sources differ on when it happened: May and June.",
    ]);
    expect(disagreementsOf({ name: "Tarn", types: types.slice(1), relations: [] } as any, [])).toEqual([]);
  });
});

describe("objectives", () => {
  const objective = (statement: string, kind: string | undefined, start: number, documentId?: string): any => ({
    ...{ statement, createdAt: `2026-11-28T12:00:0${start}.000Z`, citations: documentId ? [{ start }] : [] },
    ...(kind && { kind }),
    ...(documentId && { documentId }),
  });
  const told = ({ objective: { statement }, under }: any): any => [statement, under.map(told)];

  it("stand as an outline of their document: the narrower under the last wider one", () => {
    const trees = treesOf([
      objective("repair", "task", 3, "plan"),
      objective("peace", "end-state", 1, "plan"),
      objective("open the road", undefined, 2, "plan"),
      objective("feed the town", "goal", 4, "plan"),
      objective("by hand", "task", 5),
    ]);
    expect(trees.map(({ documentId, branches }) => [documentId, branches.map(told)])).toEqual([
      [
        "plan",
        [
          [
            "peace",
            [
              ["open the road", [["repair", []]]],
              ["feed the town", []],
            ],
          ],
        ],
      ],
      [undefined, [["by hand", []]]],
    ]);
  });

  it("are so far as their value has come from where it began", () => {
    const measured = { measure: { indicator: "share", baseline: 40, target: 90 } };
    expect([50, 30, 95, undefined].map((value) => progressOf(measured, value))).toEqual([0.2, 0, 1, undefined]);
    expect(progressOf({ measure: { indicator: "losses", baseline: 10, target: 0 } }, 4)).toBe(0.6);
    expect(progressOf({}, 4)).toBeUndefined();
  });
});
