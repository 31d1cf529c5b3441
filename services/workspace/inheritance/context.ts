import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { derivedId } from "../../../core/ids.ts";
import { HigherSetId } from "../../../core/access/set-reference.ts";
import { PersonId } from "../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";

export const CONTEXT_KINDS = ["intent", "objective", "constraint", "gate"] as const;
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** What a parent lays down for its children and for itself: approved by being written by somebody who may. */
export const Direction = entity("inheritance.directions", {
  title: "direction",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    kind: z.enum(["intent", "objective", "constraint"]),
    title: z.string().trim().min(1).max(200),
    text: z.string().trim().min(1).max(20_000),
  },
  immutable: ["problemSetId", "compartments", "kind"],
  filter: ["problemSetId", "kind"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
});
export type Direction = Item<typeof Direction>;

/** What passes down, whatever domain it comes from. */
export interface Offer {
  kind: ContextKind;
  sourceId: string;
  compartments: string[];
  title: string;
  text: string;
  status: string;
}

/** What other domains offer downward from a set, as they offered it last. */
export const Offered = entity("inheritance.offers", {
  title: "offer",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    kind: z.enum(["intent", "objective"]),
    sourceId: TextId,
    title: z.string(),
    text: z.string(),
    status: z.string(),
  },
  immutable: ["problemSetId", "compartments", "kind", "sourceId"],
  barrier,
  indexes: [{ fields: ["problemSetId"] }],
});
export type Offered = Item<typeof Offered>;
export const offeredId = ({ kind, sourceId }: Pick<Offer, "kind" | "sourceId">): string =>
  derivedId(`offered: ${kind} ${sourceId}`);
export const offerOf = ({ kind, sourceId, compartments, title, text, status }: Offered): Offer => ({
  kind,
  sourceId,
  compartments,
  title,
  text,
  status,
});

/** A parent's item as a child sees it: a copy in the child, behind the parent's compartments. */
export const Inherited = entity("inheritance.items", {
  title: "inherited item",
  fields: {
    problemSetId: TextId.describe("The child."),
    compartments: Compartments,
    parentId: HigherSetId.describe("Absent where you are no member of it."),
    kind: z.enum(CONTEXT_KINDS),
    sourceId: TextId.describe("The item's id in the parent."),
    title: z.string(),
    text: z.string(),
    status: z.string(),
    withdrawn: z.boolean().describe("Whether the parent took it back."),
  },
  readonly: ["title", "text", "status", "withdrawn"],
  immutable: ["problemSetId", "compartments", "parentId", "kind", "sourceId"],
  filter: ["kind"],
  barrier,
  indexes: [{ fields: ["problemSetId", "kind", "-createdAt"] }, { fields: ["parentId", "sourceId"] }],
});
export type Inherited = Item<typeof Inherited>;

const FieldChange = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() });

/**
 * One change of what a child inherits. The context has no counter: its version, to a reader, is the newest change that
 * they may see, so that a version tells nothing of what they may not.
 */
export const ContextChange = entity("inheritance.changes", {
  title: "change of inherited context",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    itemId: TextId,
    kind: z.enum(CONTEXT_KINDS),
    title: z.string(),
    act: z.enum(["added", "changed", "withdrawn"]),
    fields: z.array(FieldChange),
  },
  immutable: ["problemSetId"],
  barrier,
  lists: [{ by: ["problemSetId"], sort: ["-createdAt"] }],
});
export type ContextChange = Item<typeof ContextChange>;

/** The last change of the inherited context that a person acknowledged. */
export const Acknowledgement = entity("inheritance.acknowledgements", {
  title: "acknowledgement",
  fields: { problemSetId: TextId, userId: PersonId, version: z.string().max(64), acknowledgedAt: Instant },
  immutable: ["problemSetId", "userId"],
  barrier: { set: "problemSetId" },
});

export const itemId = (childId: string, offer: Pick<Offer, "kind" | "sourceId">): string =>
  derivedId(`inherited by ${childId}: ${offer.kind} ${offer.sourceId}`);
export const acknowledgementId = (childId: string, userId: string): string =>
  derivedId(`acknowledged in ${childId} by ${userId}`);

const CARRIED = ["title", "text", "status"] as const;

/**
 * How an item differs from what is offered now (null: it is offered no longer), field by field; empty when it does not.
 */
export function differences(
  item: Pick<Inherited, (typeof CARRIED)[number] | "withdrawn"> | null,
  offer: Offer | null,
): z.output<typeof FieldChange>[] {
  const before = item && !item.withdrawn ? item : null;
  if (!before && !offer) return [];
  return CARRIED.map((field) => ({ field, before: before?.[field] ?? null, after: offer?.[field] ?? null })).filter(
    ({ before: was, after }) => was !== after,
  );
}

export const actOf = (item: Inherited | null, offer: Offer | null): ContextChange["act"] =>
  !offer ? "withdrawn" : item && !item.withdrawn ? "changed" : "added";

export const offerOfDirection = ({ id, kind, compartments, title, text }: Direction): Offer => ({
  kind,
  sourceId: id,
  compartments,
  title,
  text,
  status: "approved",
});

/** The version that a change leads to. Versions of one child sort as text. */
export const versionOf = ({ createdAt, id }: Pick<ContextChange, "createdAt" | "id">): string => `${createdAt}_${id}`;
/** The version before any change. */
export const NO_VERSION = "0";
export const VERSION = /^(0|\d{4}-\d\d-\d\dT[\d:.]{12}Z_[\w-]{1,64})$/;
