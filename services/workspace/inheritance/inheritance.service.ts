import { z } from "zod";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { eventsIn, on, onTogether } from "../../../core/events/event.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { GateConfigured, GateCreated, GateDecided, GateEscalated, GateSubmitted } from "../gates/events.ts";
import { Annotation, AnnotationFromBelow } from "./annotations.ts";
import { contextActions } from "./context.actions.ts";
import { Acknowledgement, ContextChange, Direction, Inherited, Offered, offerOfDirection } from "./context.ts";
import * as events from "./events.ts";
import { DirectionChanged } from "./events.ts";
import { exchangeActions } from "./exchange.actions.ts";
import { inheritAll, lineage, offersOf, passDown, passGatesDown, takeOffer } from "./inheriting.ts";
import { Rfi, RfiFromBelow, RfiMessage, RfiMessageFromBelow } from "./rfis.ts";

const MESH = asSystem("inheritance");

/** Passes gates down in their present state, not that of the facts: facts may come late or twice. */
async function gatesMoved(this: Host, told: readonly { id: string; problemSetId: string }[]): Promise<void> {
  const sets = Map.groupBy(told, ({ problemSetId }) => problemSetId);
  const passing = [...sets].map(([problemSetId, moved]) =>
    passGatesDown(this, problemSetId, [...new Set(moved.map(({ id }) => id))]),
  );
  await Promise.all(passing);
}

async function directionMoved(this: Host, { id, problemSetId }: { id: string; problemSetId: string }): Promise<void> {
  const direction = await this.store(Direction).one(MESH, { _id: id });
  for (const kind of direction ? [direction.kind] : (["intent", "objective", "constraint"] as const))
    await passDown(this, problemSetId, { kind, sourceId: id }, direction ? offerOfDirection(direction) : null);
}

const source = {
  problemSetId: TextId,
  kind: Offered.create.kind,
  sourceId: TextId,
};

export default {
  name: "inheritance",
  metadata: {
    description:
      "Exchange between a problem set and its parents and children: directions, requests for " +
      "information, context.",
  },
  settings: { rest: "/inheritance" },
  mixins: [
    domain({
      entities: [
        Direction,
        Inherited,
        ContextChange,
        Acknowledgement,
        Annotation,
        AnnotationFromBelow,
        Rfi,
        RfiFromBelow,
        RfiMessage,
        RfiMessageFromBelow,
        Offered,
      ],
      books: [ContextChange, Offered],
      tells: () => eventsIn(events),
      personal: [
        commonWork("What you acknowledged", Acknowledgement, "userId"),
        commonWork("Requests for information that you made", Rfi),
        commonWork("What you wrote in requests of your problem sets", RfiMessage),
        commonWork("What you wrote in requests from below", RfiMessageFromBelow),
        commonWork("Annotations that you made", Annotation),
      ],
      hears: [
        ...[GateCreated, GateConfigured, GateSubmitted, GateDecided, GateEscalated].map((type) =>
          onTogether(type, gatesMoved),
        ),
        on(DirectionChanged, directionMoved),
      ],
    }),
  ],
  actions: {
    ...contextActions,
    ...exchangeActions,

    offer: endpoint({
      summary: "Let the children of a set inherit an approved intent or objective of another domain",
      permit: "internal",
      body: {
        ...source,
        compartments: Offered.create.compartments,
        title: Offered.create.title,
        text: Offered.create.text,
      },
      returns: bare(z.null()),
      async handler(ctx) {
        const { problemSetId, ...offered } = ctx.params;
        await takeOffer(this, problemSetId, offered, { ...offered, status: "approved" });
        return null;
      },
    }),

    withdraw: endpoint({
      summary: "Take back what another domain offered",
      permit: "internal",
      body: source,
      returns: bare(z.null()),
      async handler(ctx) {
        const { problemSetId, kind, sourceId } = ctx.params;
        await takeOffer(this, problemSetId, { kind, sourceId }, null);
        return null;
      },
    }),

    inheritAnew: endpoint({
      summary: "Inherit anew, for a set that was put below another or taken from it",
      permit: "internal",
      body: { problemSetId: TextId },
      returns: bare(z.null()),
      async handler(ctx) {
        const { problemSetId } = ctx.params;
        const { parentId } = await lineage(this, problemSetId);
        await inheritAll(this, problemSetId, parentId, parentId ? await offersOf(this, parentId) : []);
        return null;
      },
    }),
  },
} satisfies MeshService;
