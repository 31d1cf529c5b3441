import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { unprocessable } from "../../../../core/problem.ts";
import type { JobRun } from "../../../../core/work/job.ts";
import { byText, inTurns, sorted, type Steps } from "../../../../core/work/turns.ts";
import { graphOf } from "../memory.ts";
import { readerOf } from "../readers.ts";
import { MESH } from "../statements/marks.ts";
import type { GraphNode, GraphView } from "../view.ts";
import { withinWorkspace, Workspace } from "../workspaces/workspaces.ts";
import { centralitiesOf } from "./centrality.ts";
import { Comparison, type Compared } from "./comparison.ts";
import { networkOf, type WeightedEdge } from "./network.ts";
import { comparedOf, comparisonId } from "./ranking.ts";
import { inThread } from "./thread.ts";

export const COMPARE = "graph.centrality";

/** Nodes times edges up to which somebody who asks waits for the answer; some hundred milliseconds of work. */
export const limits = { atOnce: 5e6 };

export interface MeasureOptions {
  weighted: boolean;
  workspaceId?: string | undefined;
}
interface MeasureInput extends MeasureOptions {
  problemSetId: string;
  userId: string;
  compartments: string[];
}

/** What is measured of a view, in a fixed order. */
export interface MeasuredView {
  ids: string[];
  edges: WeightedEdge[];
  compartments: string[];
}

const STEP = 2_048;

/** The lines of a view among some of its entities; one line's strength is how many voices tell of it. */
function* measuredOf(view: GraphView, nodes: readonly GraphNode[]): Steps<MeasuredView> {
  const ids = yield* sorted(
    nodes.map(({ id }) => id),
    byText,
  );
  const among = new Set(ids);
  const compartments = new Set<string>();
  for (const [at, { rows }] of nodes.entries()) {
    for (const row of rows) for (const one of row.compartments) compartments.add(one);
    if (at % STEP === 0) yield;
  }
  const edges: WeightedEdge[] = [];
  for (const [at, { from, to, voices, rows }] of view.edges.entries()) {
    if (at % STEP === 0) yield;
    if (!among.has(from) || !among.has(to)) continue;
    edges.push({ source: from, target: to, weight: voices.size });
    for (const row of rows) for (const one of row.compartments) compartments.add(one);
  }
  return { ids, edges, compartments: [...compartments].sort() };
}

async function measuredIn(
  host: Host,
  caller: Caller,
  view: GraphView,
  workspaceId: string | undefined,
): Promise<MeasuredView> {
  const workspace = workspaceId === undefined ? undefined : await host.store(Workspace).get(caller, workspaceId);
  const nodes = workspace ? await inTurns(withinWorkspace(workspace, view)) : [...view.nodes.values()];
  return inTurns(measuredOf(view, nodes));
}

/** The comparison of several views beside one another, or the job that makes it. */
export async function compared(
  host: Host,
  caller: Caller,
  views: readonly GraphView[],
  { weighted, workspaceId }: MeasureOptions,
): Promise<Compared | { jobId: string }> {
  const parts: MeasuredView[] = [];
  for (const view of views) parts.push(await measuredIn(host, caller, view, workspaceId));
  const ids = parts.flatMap((part) => part.ids);
  const edges = parts.flatMap((part) => part.edges);
  if (ids.length * edges.length <= limits.atOnce) {
    const network = await inTurns(networkOf(ids, edges));
    const found = await inTurns(centralitiesOf(network, weighted));
    return inTurns(comparedOf(ids, found, { edges: network.edges, weighted }));
  }
  if (views.length > 1)
    throw unprocessable("TOO_LARGE", "All of your graphs together are too large: name a problem set.", {
      parameter: "problemSetId",
    });
  const id = await inTurns(comparisonId(ids, edges, weighted));
  const known = await host.store(Comparison).one(caller, { _id: id });
  if (known) return known.compared;
  const { problemSetId } = views[0]!;
  // Those of every set: what a set inherits lies in compartments of the one above it.
  const held = unionOfCompartments(Object.values(caller.meta.actor?.memberships ?? {}));
  const input: MeasureInput = { problemSetId, userId: actorOf(caller), compartments: held, weighted, workspaceId };
  // Whoever sees the same joins it.
  const onlookers = { problemSetId, compartments: [...new Set(parts.flatMap((part) => part.compartments))] };
  const job = await host.jobs.add(COMPARE, { ...input }, { by: actorOf(caller), onlookers, key: id });
  return { jobId: job.id };
}

/** Measures a large graph in a thread of its own, for whoever sees the same. */
export async function measure(
  this: Host,
  { job, signal, progress }: JobRun<MeasureInput>,
): Promise<{ comparisonId: string }> {
  const { problemSetId, weighted, workspaceId } = job.input;
  const reader = readerOf(job.input);
  const view = await graphOf(this, reader, { problemSetId });
  const { ids, edges, compartments } = await measuredIn(this, reader, view, workspaceId);
  const network = await inTurns(networkOf(ids, edges), { signal });
  await progress("measuring", 0, ids.length);
  const found = await inThread({ ids, network, weighted }, signal);
  const id = await inTurns(comparisonId(ids, edges, weighted));
  const fields = { problemSetId, compartments, compared: found };
  await this.store(Comparison).createOnce(MESH, { id, ...fields });
  return { comparisonId: id };
}
