import fc from "fast-check";
import { endOf, drawnPart, nodeName } from "../../console/picture/discovery/network/network-words.ts";
import { inDbm, inHertz, trendWords } from "../../console/picture/discovery/spectrum/spectrum-words.ts";
import { changesIn } from "../../console/picture/layers/differences.ts";
import { drawingOf } from "../../console/picture/watched-ground/ground.ts";
import { patchBetween } from "../../services/picture/cop/layers/patches.ts";

type Spec = Record<string, unknown>;

function patched(before: Spec, after: Spec): any[] {
  const steps = patchBetween(before, after);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

describe("what one version of a layer changed of another", () => {
  const feature = fc.record({
    id: fc.integer({ min: 0, max: 9 }),
    status: fc.constantFrom("holds", "gone", undefined),
  });
  const version = fc.uniqueArray(feature, { selector: ({ id }) => id, maxLength: 8 }).map((all) => ({
    type: "FeatureCollection",
    features: all.map(({ id, status }) => ({
      ...{ type: "Feature", id: `f${id}`, geometry: { type: "Point", coordinates: [id, 48] } },
      properties: { name: `F ${id}`, ...(status && { status }) },
    })),
  }));

  it("names what came, went and is another, in whatever order the two list it", () => {
    fc.assert(
      fc.property(version, version, (before, after) => {
        const found = changesIn(before, patched(before, after), "custom");
        const of = (spec: typeof before) =>
          new Map(spec.features.map(({ properties }) => [properties.name, properties]));
        const [was, is] = [of(before), of(after)];
        expect(found.came.sort()).toEqual([...is.keys()].filter((name) => !was.has(name)).sort());
        expect(found.went.sort()).toEqual([...was.keys()].filter((name) => !is.has(name)).sort());
        expect(found.changed.map(({ name }) => name).sort()).toEqual(
          [...is.keys()].filter((name) => was.has(name) && was.get(name)!.status !== is.get(name)!.status).sort(),
        );
        expect(found.rules).toEqual([]);
      }),
    );
  });

  it("says of a live layer what it follows now", () => {
    const [before, after] = [
      { source: "units", style: { colour: "#112233" } },
      { source: "reports", filter: { kind: "boat" } },
    ];
    expect(changesIn(before, patched(before, after), "units").rules).toEqual([
      { head: "How they are drawn", before: '{"colour":"#112233"}', after: "nothing" },
      { head: "Follows", before: "units", after: "reports" },
      { head: "Which of them", before: "nothing", after: '{"kind":"boat"}' },
    ]);
  });
});

describe("the network", () => {
  it("calls a node by what is known of it, and names it to the API by the same", () => {
    const unidentified = (id: string) => ({ id, kind: "unidentified" as const });
    const all = ["mac:00:1b:c5:00:00:01", "ip:10.0.0.7", "name:hall printer", "did:key:z6Mk", "device:0192"].map(
      unidentified,
    );
    expect(all.map(nodeName)).toEqual([
      "hardware address 00:1b:c5:00:00:01",
      "network address 10.0.0.7",
      "name hall printer",
      "DID did:key:z6Mk",
      "A device that you do not see",
    ]);
    expect(all.map(endOf)).toEqual([
      { macs: ["00:1b:c5:00:00:01"] },
      { address: "10.0.0.7" },
      { name: "hall printer" },
      { did: "did:key:z6Mk" },
      { deviceId: "0192" },
    ]);
    expect(endOf({ id: "platform", kind: "platform" })).toEqual({ deviceId: "platform" });
  });

  it("draws the way and the best connected, and says how many are left", () => {
    const nodes = Array.from({ length: 200 }, (_none, at) => ({ id: `n${at}`, kind: "device" as const }));
    const edge = { evidence: [], confidence: 1, cost: 1, lastSeenAt: "", isOneSided: false, isManual: false };
    const edges = Array.from({ length: 20 }, (_none, at) => ({
      ...edge,
      from: `n${180 + (at % 10)}`,
      to: `n${190 + (at % 10)}`,
    }));
    const part = drawnPart({ nodes, edges }, ["n170"]);
    expect([part.nodes[0]!.id, part.nodes.length, part.left, part.edges.length]).toEqual(["n170", 150, 50, 20]);
  });
});

it("frequencies, powers and trends are told in words", () => {
  expect([46.5e6, 9.41e9, 25e3, 7].map(inHertz)).toEqual(["46.5 MHz", "9.41 GHz", "25 kHz", "7 Hz"]);
  expect([inDbm(-3.006), inDbm(null)]).toEqual(["-3.0 dBm", "–"]);
  expect(trendWords({ trend: "rising", changeDb: 4.26 })).toBe("louder by 4.3 dB");
  expect(trendWords({ trend: "gone", changeDb: null })).toBe("silent now");
});

it("a plan of the ground has north up and is true to form", () => {
  const ring = [
    [10, 60],
    [12, 60],
    [12, 61],
    [10, 61],
    [10, 60],
  ];
  const ground = { type: "MultiPolygon" as const, coordinates: [[ring]] };
  const drawing = drawingOf([ground, null], 600, 400)!;
  // At 60° north a degree of longitude is half as long as one of latitude.
  expect(drawing.width / drawing.height).toBeCloseTo(1, 1);
  expect(drawing.pathOf(ground)).toMatch(/^M0\.0 /);
  expect(drawing.pathOf(null)).toBe("");
  expect(drawingOf([null], 600, 400)).toBeUndefined();
});
