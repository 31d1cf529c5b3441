import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/records/event.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { GateConfigured, GateCreated, GateDecided, GateEscalated, GateSubmitted } from "../gates/gates.ts";
import { ProblemSetChanged, ProblemSetCreated } from "../problem-sets/sets/sets.ts";
import { Annotation, AnnotationFromBelow } from "./annotations.ts";
import { contextActions } from "./context.actions.ts";
import * as context from "./context.ts";
import { Acknowledgement, Change, Direction, DirectionChanged, Inherited, offerOfDirection, type Offer } from "./context.ts";
import { exchangeActions } from "./exchange.actions.ts";
import { inheritAll, lineage, offersOf, passDown } from "./inheriting.ts";
import * as rfis from "./rfis.ts";
import { Rfi, RfiFromBelow, RfiMessage, RfiMessageFromBelow } from "./rfis.ts";

const MESH = asSystem("inheritance");

/** A gate as it is now passes down, whatever happened to it: facts may come late or twice. */
async function gateMoved(this: Host, { id, problemSetId }: { id: string; problemSetId: string }): Promise<void> {
  const [offer] = await this.ask<Offer[]>("gates.offered", { problemSetId, gateId: id });
  await passDown(this, problemSetId, { kind: "gate", sourceId: id }, offer ?? null);
}

async function directionMoved(this: Host, { id, problemSetId }: { id: string; problemSetId: string }): Promise<void> {
  const direction = await this.store(Direction).one(MESH, { _id: id });
  for (const kind of direction ? [direction.kind] : (["intent", "objective", "constraint"] as const)) await passDown(this, problemSetId, { kind, sourceId: id }, direction ? offerOfDirection(direction) : null);
}

/** A set that was put below another, or taken from it, inherits anew. */
async function placed(this: Host, { problemSetId }: { problemSetId: string }): Promise<void> {
  const { parentId } = await lineage(this, problemSetId);
  await inheritAll(this, problemSetId, parentId, parentId ? await offersOf(this, parentId) : []);
}

export default {
  name: "inheritance",
  settings: { rest: "/inheritance" },
  mixins: [domain({
    entities: [Direction, Inherited, Change, Acknowledgement, Annotation, AnnotationFromBelow, Rfi, RfiFromBelow, RfiMessage, RfiMessageFromBelow],
    tells: () => eventsIn(context, rfis),
    personal: [{ what: "What you acknowledged", entity: Acknowledgement, by: "userId", erasure: { keep: "Who had a part in common work stays on record, by an id that leads to nobody." } }],
    hears: [
      ...[GateCreated, GateConfigured, GateSubmitted, GateDecided, GateEscalated].map((type) => on(type, gateMoved)), on(DirectionChanged, directionMoved),
      on(ProblemSetCreated, placed),
      on(ProblemSetChanged, async function (this: Host, { problemSetId, fields }) { if (fields.includes("parentId")) await placed.call(this, { problemSetId }); }),
    ],
  })],
  actions: { ...contextActions, ...exchangeActions },
} satisfies MeshService;
