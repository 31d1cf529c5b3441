import { readFileSync } from "node:fs";
import { atOnce } from "../../../core/work/turns.ts";
import { centralitiesOf, MEASURES } from "../../../services/knowledge/graph/centrality/centrality.ts";
import { inThread } from "../../../services/knowledge/graph/centrality/thread.ts";
import { comparedOf } from "../../../services/knowledge/graph/centrality/ranking.ts";
import { networkOf, type WeightedEdge } from "../../../services/knowledge/graph/centrality/network.ts";

interface Case {
  name: string;
  nodes: string[];
  edges: [string, string, number][];
  plain: Record<string, number[]>;
  weighted: Record<string, number[]>;
}
const { graphs } = JSON.parse(
  readFileSync(new URL("../../fixtures/graph/centrality.json", import.meta.url), "utf8"),
) as {
  graphs: Case[];
};

const built = ({ nodes, edges }: Pick<Case, "nodes" | "edges">) =>
  atOnce(
    networkOf(
      nodes,
      edges.map(([source, target, weight]): WeightedEdge => ({ source, target, weight })),
    ),
  );

describe("centrality", () => {
  it.each(graphs)("of $name is what networkx has, to a millionth", (one) => {
    for (const weighted of [false, true]) {
      const { measures, exact } = atOnce(centralitiesOf(built(one), weighted));
      const expected = weighted ? one.weighted : one.plain;
      expect(exact).toBe(true);
      for (const name of MEASURES) {
        const off = measures[name].values.map((value, node) => Math.abs(value - expected[name]![node]!));
        expect({ name, weighted, off: Math.max(...off) < 1e-6 }).toEqual({ name, weighted, off: true });
      }
    }
  });

  it("takes lines between the same two for one, and none to itself or to what is not shown", () => {
    const edges: [string, string, number][] = [
      ["a", "b", 1],
      ["b", "a", 2],
      ["a", "a", 5],
      ["b", "hidden", 9],
    ];
    const network = built({ nodes: ["a", "b", "c"], edges });
    expect(network.edges).toBe(1);
    expect([...network.weights]).toEqual([3, 3]);
    const { measures } = atOnce(centralitiesOf(network, false));
    expect([...measures.degree.values]).toEqual([0.5, 0.5, 0]);
  });

  it("is defined for a graph of nobody and of one", () => {
    for (const nodes of [[], ["alone"]]) {
      const { measures } = atOnce(centralitiesOf(built({ nodes, edges: [] }), false));
      for (const name of MEASURES) expect([...measures[name].values].every(Number.isFinite)).toBe(true);
    }
  });

  it("too large to be gone through is sampled, with bounds that hold the true value", () => {
    const large = graphs.find(({ name }) => name === "scale free")!;
    const network = built(large);
    const truth = atOnce(centralitiesOf(network, false)).measures;
    const { measures, exact, sources } = atOnce(centralitiesOf(network, false, (network.nodes * network.edges) / 3));
    expect([exact, sources < network.nodes]).toEqual([false, true]);
    const { values, low, high } = measures.betweenness;
    const isHeld = (value: number, node: number) => low![node]! <= value + 1e-12 && value <= high![node]! + 1e-12;
    expect([...truth.betweenness.values].filter(isHeld).length / network.nodes).toBeGreaterThan(0.95);
    const off = [...measures.closeness.values].map((value, node) => value / truth.closeness.values[node]!);
    expect(Math.max(...off.map((ratio) => Math.abs(ratio - 1)))).toBeLessThan(0.2);
    expect(values.every((value, node) => low![node]! <= value && value <= high![node]!)).toBe(true);
    expect(measures.degree.low).toBeUndefined();
  });

  it("is the same in a thread of its own, which ends with whoever asked", async () => {
    const network = built(graphs.find(({ name }) => name === "karate")!);
    const { nodes: ids } = graphs.find(({ name }) => name === "karate")!;
    const about = { edges: network.edges, weighted: true };
    const expected = atOnce(comparedOf(ids, atOnce(centralitiesOf(network, true)), about));
    expect(await inThread({ ids, network, weighted: true })).toEqual(expected);
    expect(expected.ranked[0]).toMatchObject({ id: "0", betweenness: { rank: 1 } });
    const gone = AbortSignal.abort(new Error("gone"));
    await expect(inThread({ ids, network, weighted: true }, gone)).rejects.toThrow("gone");
  });

  it("says how alike the measures rank; nothing of measures that tell nothing apart", () => {
    const karate = atOnce(centralitiesOf(built(graphs.find(({ name }) => name === "karate")!), false));
    const all = karate.correlations;
    expect(all).toHaveLength(10);
    expect(all.every(({ value }) => value! > 0.3 && value! <= 1)).toBe(true);
    const pair = atOnce(centralitiesOf(built({ nodes: ["a", "b"], edges: [["a", "b", 1]] }), false));
    expect(pair.correlations.map(({ value }) => value)).toEqual(Array(10).fill(null));
  });
});
