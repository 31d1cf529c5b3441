import type { Steps } from "../../../../core/work/turns.ts";
import type { Network } from "./network.ts";

const MOST_ROUNDS = 10_000;
/** The iteration ends when values change by no more than this, for each node and round. */
const ENOUGH = 1e-13;
const DAMPING = 0.85;

const weightsOf = ({ weights }: Network, weighted: boolean): Float64Array =>
  weighted ? weights : new Float64Array(weights.length).fill(1);

/** Degree, or the sum of weights, divided by the number of other nodes. */
export function degrees(network: Network, weighted: boolean): Float64Array {
  const { nodes, offsets } = network;
  const weights = weightsOf(network, weighted);
  return Float64Array.from({ length: nodes }, (_, node) => {
    const own = weights.subarray(offsets[node]!, offsets[node + 1]!);
    // A node that is alone is as central as can be, as in networkx.
    return nodes < 2 ? 1 : own.reduce((sum, weight) => sum + weight, 0) / (nodes - 1);
  });
}

/** The sum of all changes from one round to the next. */
function change(next: Float64Array, current: Float64Array): number {
  let sum = 0;
  for (let node = 0; node < next.length; node += 1) sum += Math.abs(next[node]! - current[node]!);
  return sum;
}

/**
 * The eigenvector of the largest eigenvalue, by power iteration from ones on A + I, which converges on bipartite graphs
 * too; of length 1.
 */
export function* eigenvector(network: Network, weighted: boolean): Steps<Float64Array> {
  const { nodes, offsets, neighbours } = network;
  const weights = weightsOf(network, weighted);
  let current = new Float64Array(nodes).fill(nodes ? 1 / nodes : 0);
  let next = new Float64Array(nodes);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let square = 0;
    for (let node = 0; node < nodes; node += 1) {
      let sum = current[node]!;
      for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at += 1)
        sum += weights[at]! * current[neighbours[at]!]!;
      next[node] = sum;
      square += sum * sum;
    }
    const length = Math.sqrt(square) || 1;
    for (let node = 0; node < nodes; node += 1) next[node]! /= length;
    const moved = change(next, current);
    [current, next] = [next, current];
    if (moved < nodes * ENOUGH) break;
    yield;
  }
  return current;
}

/** Where a walk along the lines stands that, at each step, jumps anywhere in 15 of 100 cases. */
export function* pageRank(network: Network, weighted: boolean): Steps<Float64Array> {
  const { nodes, offsets, neighbours } = network;
  const weights = weightsOf(network, weighted);
  const strength = Float64Array.from({ length: nodes }, (_, node) =>
    weights.subarray(offsets[node]!, offsets[node + 1]!).reduce((sum, weight) => sum + weight, 0),
  );
  let current = new Float64Array(nodes).fill(nodes ? 1 / nodes : 0);
  let next = new Float64Array(nodes);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let lost = 0;
    for (let node = 0; node < nodes; node += 1) if (strength[node] === 0) lost += current[node]!;
    next.fill((1 - DAMPING + DAMPING * lost) / nodes);
    for (let node = 0; node < nodes; node += 1) {
      const given = strength[node] === 0 ? 0 : (DAMPING * current[node]!) / strength[node]!;
      for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at += 1)
        next[neighbours[at]!]! += given * weights[at]!;
    }
    const moved = change(next, current);
    [current, next] = [next, current];
    if (moved < nodes * ENOUGH) break;
    yield;
  }
  return current;
}
