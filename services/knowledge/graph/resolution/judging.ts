import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid, isConflict, isNotFound, nullIf } from "../../../../core/problem.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { EntitiesMerged, EntitiesSeparated } from "../events.ts";
import { judgedFor, judgementsFor } from "../judged.ts";
import { tellGraph } from "../live.ts";
import { graphOf, readersOf } from "../memory.ts";
import { readerOf } from "../readers.ts";
import { changing, JUDGEMENTS } from "../statements/marks.ts";
import type { GraphNode, GraphView } from "../view.ts";
import { duplicatesIn, type Duplicates } from "./duplicates.ts";
import {
  judgedCompartments,
  judgedOf,
  Judgement,
  keepingApart,
  takenBack,
  type JUDGEMENT_VERDICTS,
} from "./judgements.ts";

const found = new WeakMap<GraphView, Promise<Duplicates>>();

const asked = new WeakMap<Host["world"], Set<string>>();
/** The sets whose duplicates somebody asked for of this process. */
function askedIn({ world }: Host): Set<string> {
  let sets = asked.get(world);
  if (!sets) asked.set(world, (sets = new Set()));
  return sets;
}

/**
 * Looks for what new statements of a set have come near, when they have landed: for each sight that this process keeps a
 * view of, where somebody asks for such things. Whoever asks next is told at once. Answers for how many sights.
 */
export async function lookForDuplicates(host: Host, problemSetId: string): Promise<number> {
  const readers = askedIn(host).has(problemSetId) ? readersOf(host, problemSetId) : [];
  for (const reader of readers) await duplicatesOf(host, reader, await graphOf(host, reader, { problemSetId }));
  return readers.length;
}

/** What may be the same in a graph, worked out once for all who see that graph. */
export async function duplicatesOf(host: Host, caller: Caller, view: GraphView): Promise<Duplicates> {
  askedIn(host).add(view.problemSetId);
  let known = found.get(view);
  if (!known) {
    known = judgedFor(host, caller, view.problemSetId).then((judged) => inTurns(duplicatesIn(view, judged)));
    found.set(view, known);
    known.catch(() => found.delete(view));
  }
  return known;
}

/** The entities that are judged, as the caller sees them. Throws 400 for one that is not there for them. */
function demandEntities(view: GraphView, entityIds: readonly string[]): GraphNode[] {
  const nodes = entityIds.map((id) => view.nodes.get(view.canonicalOf(id) ?? ""));
  const missing = nodes.flatMap((node, at) =>
    node ? [] : [{ path: `entityIds.${at}`, message: "There is no such entity in this graph." }],
  );
  if (missing.length) throw invalid(missing);
  return [...new Set(nodes as GraphNode[])];
}

/** Throws 409 where a judgement that the caller sees keeps these apart. */
function demandJoinable(judgements: readonly Judgement[], nodes: readonly GraphNode[]): void {
  const [apart] = keepingApart(judgements, nodes);
  if (!apart) return;
  const { id, reason, decidedBy } = apart;
  throw conflict("Somebody judged that these are not the same: take that judgement back first.", {
    judgementId: id,
    decidedBy,
    ...(reason !== undefined && { reason }),
  });
}

interface Given {
  problemSetId: string;
  entityIds: readonly string[];
  verdict: (typeof JUDGEMENT_VERDICTS)[number];
  reason?: string | undefined;
}

const told = ({ id, problemSetId, compartments, entities }: Judgement, caller: Caller) => ({
  ...{ id, problemSetId, compartments },
  by: actorOf(caller),
  names: entities.map(({ name }) => name),
});

/** Whoever looks on hears of it. */
const tellJudged = (host: Host, { id, problemSetId, compartments }: Judgement): Promise<unknown> =>
  tellGraph(host, { problemSetId, compartments, what: "judgement", id });

/** Keeps what somebody judges of entities. Throws 400, and 409 where it contradicts what is judged already. */
export async function judgeEntities(host: Host, caller: Caller, given: Given): Promise<Judgement> {
  const { problemSetId, verdict, reason } = given;
  const view = await graphOf(host, caller, { problemSetId });
  const nodes = demandEntities(view, given.entityIds);
  if (nodes.length < 2)
    throw conflict(
      verdict === "positive"
        ? "They are one entity already."
        : "They are one entity: take the judgement back that joins them.",
    );
  if (verdict === "positive") demandJoinable(await judgementsFor(host, caller, problemSetId), nodes);
  const store = host.store(Judgement);
  const compartments = judgedCompartments(nodes);
  const seen = await graphOf(host, readerOf({ problemSetId, compartments, userId: actorOf(caller) }), { problemSetId });
  const entities = judgedOf(nodes, seen);
  const decided = { decidedBy: actorOf(caller), decidedAt: iso(host.world.clock.now()) };
  const made = await changing(host, problemSetId, [JUDGEMENTS], () =>
    store.create(
      caller,
      { problemSetId, compartments, entities, verdict, ...(reason !== undefined && { reason }), ...decided },
      { facts: (one: Judgement) => (verdict === "positive" ? [EntitiesMerged.fact(one.id, told(one, caller))] : []) },
    ),
  );
  await tellJudged(host, made);
  if (verdict !== "positive") return made;
  // Somebody may have kept them apart meanwhile: of two that contradict each other, the one that joins goes.
  const others = (await judgementsFor(host, caller, problemSetId)).filter(({ id }) => id !== made.id);
  if (!keepingApart(others, nodes).length) return made;
  await changing(host, problemSetId, [JUDGEMENTS], () =>
    store.remove(caller, made).catch(nullIf((error) => isConflict(error) || isNotFound(error))),
  );
  demandJoinable(others, nodes);
  return made;
}

/** Takes a judgement back. */
export async function takeBack(
  host: Host,
  caller: Caller,
  judgement: Judgement,
  { leave, reason }: { leave: "negative" | "nothing"; reason?: string | undefined },
): Promise<Judgement> {
  const now = { leave, reason, by: actorOf(caller), at: iso(host.world.clock.now()) };
  const facts =
    judgement.verdict === "positive" ? [EntitiesSeparated.fact(`${judgement.id}`, told(judgement, caller))] : [];
  const separated = await changing(host, judgement.problemSetId, [JUDGEMENTS], () =>
    host.store(Judgement).revise(caller, judgement, takenBack(judgement, now), { facts }),
  );
  await tellJudged(host, separated);
  return separated;
}
