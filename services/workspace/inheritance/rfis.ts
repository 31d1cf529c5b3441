import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { invalidTransition, forbidden } from "../../../core/problem.ts";
import { HigherSetId } from "../../../core/access/set-reference.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";

export const RFI_STATES = ["open", "answered", "closed", "withdrawn"] as const;
export type RfiState = (typeof RFI_STATES)[number];
export type Side = "child" | "parent";

const fields = {
  problemSetId: TextId.describe("The child that asks."),
  compartments: Compartments,
  parentId: HigherSetId.describe("The parent that is asked; absent where you are no member of it."),
  title: z.string().trim().min(1).max(200),
  question: z.string().trim().min(1).max(20_000),
  priority: z.enum(["routine", "priority", "immediate"]).default("routine"),
  neededBy: Instant.optional().describe("After this instant the answer is of no use."),
  status: z.enum(RFI_STATES),
};
const traits = {
  title: "request for information",
  fields,
  readonly: ["status"],
  immutable: ["problemSetId", "compartments", "parentId"],
  filter: ["status", "priority"],
  sort: ["neededBy"],
} as const;

/** A request for information, as the child that asks sees it. */
export const Rfi = entity("inheritance.rfis", {
  ...traits,
  barrier,
  lists: [{ by: ["problemSetId"] }, { by: ["parentId"] }],
  indexes: [{ fields: ["createdBy"] }],
});
export type Rfi = Item<typeof Rfi>;

/** The same records as the parent sees them. */
export const RfiFromBelow = entity("inheritance.rfis-from-below", {
  ...traits,
  collection: Rfi.collection,
  barrier: { set: "parentId", compartments: "compartments" },
});

const message = {
  problemSetId: TextId,
  compartments: Compartments,
  parentId: HigherSetId,
  rfiId: TextId,
  from: z.enum(["child", "parent"]),
  text: z.string().trim().min(1).max(20_000),
};
const fixed = {
  title: "message",
  fields: message,
  immutable: ["problemSetId", "compartments", "parentId", "rfiId", "from"],
} as const;
export const RfiMessage = entity("inheritance.rfi-messages", {
  ...fixed,
  barrier,
  lists: [
    { by: ["problemSetId", "rfiId"], sort: ["createdAt"] },
    { by: ["parentId", "rfiId"], sort: ["createdAt"] },
  ],
  indexes: [{ fields: ["rfiId"] }, { fields: ["createdBy"] }],
});
export const RfiMessageFromBelow = entity("inheritance.rfi-messages-from-below", {
  ...fixed,
  collection: RfiMessage.collection,
  barrier: { set: "parentId", compartments: "compartments" },
});

/** Who may move a request where. */
export const MOVES: readonly { from: RfiState; to: RfiState; by: Side }[] = [
  { from: "open", to: "answered", by: "parent" },
  { from: "answered", to: "open", by: "child" },
  { from: "answered", to: "closed", by: "child" },
  { from: "open", to: "withdrawn", by: "child" },
  { from: "answered", to: "withdrawn", by: "child" },
  // An answer that proved wrong, and what was ended by mistake, are asked again.
  { from: "closed", to: "open", by: "child" },
  { from: "withdrawn", to: "open", by: "child" },
];

/** Where one side can move a request from here, whoever of its members may ask and answer. */
export const movesOf = (from: RfiState, by: Side): RfiState[] =>
  MOVES.filter((move) => move.from === from && move.by === by).map(({ to }) => to);

/** A request as one of its sides reads it. */
export const RfiInView = Rfi.view
  .extend({
    side: z.enum(["child", "parent"]).describe("On which side of the request the problem set of the path is."),
    moves: z.array(z.enum(RFI_STATES)).describe("The states that this side can move it to now."),
  })
  .meta({ id: "RequestForInformationInView" });

/** Throws 409 for a move that nobody could make from here, 403 for one that is the other side's. */
export function refuseMove(from: RfiState, to: RfiState, by: Side): void {
  const possible = MOVES.filter((move) => move.from === from && move.to === to);
  if (!possible.length)
    throw invalidTransition(
      `become ${to}`,
      from,
      MOVES.filter((move) => move.to === to).map((move) => move.from),
    );
  if (!possible.some((move) => move.by === by)) throw forbidden(`This is for the ${possible[0]!.by} to do.`);
}
