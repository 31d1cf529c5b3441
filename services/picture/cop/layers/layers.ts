import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { conflict } from "../../../../core/problem.ts";
import { outsideIndexes, placed } from "../../place.ts";
import { pictureReach } from "../pictures.ts";

export const TYPES = [
  "units",
  "resources",
  "sensors",
  "coverage",
  "events",
  "control-measures",
  "routes",
  "custom",
] as const;
export const LAYER_STATES = ["draft", "review", "published", "cop"] as const;
export type LayerState = (typeof LAYER_STATES)[number];

/** Which moves there are by `transition`, and what the role must allow; the COP is left by `recall` alone. */
export const LAYER_MOVES = [
  { from: "draft", to: "review", may: "cop:draft" },
  { from: "review", to: "published", may: "cop:review" },
  { from: "review", to: "draft", may: "cop:review" },
  { from: "published", to: "cop", may: "cop:publish" },
  { from: "published", to: "review", may: "cop:review" },
] as const satisfies readonly { from: LayerState; to: LayerState; may: string }[];

/** Only in these is the spec changed. */
export const OPEN_STATES: readonly LayerState[] = ["draft", "review"];
/** Of these the watch makes features anew. */
export const WATCHED_STATES: readonly LayerState[] = ["review", "published", "cop"];
/** Moves that a layer keeps: the latest. */
const MOST_MOVES = 200;
export const MOST_LAYERS = 500;

const Move = z.object({
  from: z.enum(LAYER_STATES),
  to: z.enum(LAYER_STATES),
  version: z.int(),
  at: Instant,
  by: PersonId,
  reason: z.string().optional(),
});

export const Layer = entity("cop_layers", {
  title: "layer",
  fields: {
    ...placed,
    name: z.string().trim().min(1).max(200),
    description: z.string().max(10_000).optional(),
    type: z.enum(TYPES),
    section: z
      .string()
      .min(1)
      .max(80)
      .optional()
      .describe("The staff section it belongs to: operations, intelligence, logistics."),
    kind: z
      .enum(["drawn", "live"])
      .default("drawn")
      .describe("`drawn`: the spec is a FeatureCollection; `live`: it says which source is shown, and how."),
    state: z.enum(LAYER_STATES),
    version: z.int().describe("The newest version of its spec; 0 before the first."),
    hash: z.string().optional().describe("SHA-256 over the newest spec in canonical JSON (RFC 8785)."),
    features: z.int().describe("How many features the newest spec of a drawn layer has."),
    source: z.string().optional().describe("Of a live layer: what its newest spec shows."),
    specBy: PersonId.optional().describe("Who wrote the newest spec; somebody else must publish it."),
    specAt: Instant.optional(),
    moves: z.array(Move).describe(`How it reached its state; only the latest ${MOST_MOVES} moves.`),
  },
  readonly: ["audience", "state", "version", "hash", "features", "source", "specBy", "specAt", "moves"],
  hidden: ["audience"],
  immutable: ["problemSetId", "compartments", "kind"],
  filter: ["problemSetId", "state", "type", "section"],
  sort: ["name"],
  barrier: pictureReach,
  most: {
    count: MOST_LAYERS,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} layers in the same compartments.`),
  },
  lists: [
    { by: ["problemSetId"], few: ["section"] },
    { by: ["audience"], having: "audience", few: ["section"] },
  ],
  indexes: [{ fields: ["problemSetId", "source"] }, ...outsideIndexes],
});
export type Layer = Item<typeof Layer>;

/** One of a layer's specs, for good: only ever added. */
export const LayerVersion = entity("cop_layer_versions", {
  title: "version of a layer",
  fields: {
    ...placed,
    layerId: TextId,
    version: z.int().min(1),
    hash: z.string(),
    specId: z.string(),
    features: z.int(),
    source: z.string().optional(),
    bytes: z.int(),
    by: PersonId,
    at: Instant,
  },
  hidden: ["audience", "specId"],
  immutable: ["problemSetId", "compartments"],
  sort: ["version"],
  barrier: pictureReach,
  lists: [{ by: ["problemSetId", "layerId"], sort: ["-version", "version"], filter: [] }],
  indexes: [{ fields: ["layerId", "version"], unique: true }],
});
export type LayerVersion = Item<typeof LayerVersion>;

/** What a version says, kept by its hash: the same spec twice lies here once. */
export const LayerSpec = entity("cop_layer_specs", {
  title: "spec of a layer",
  fields: {
    ...placed,
    layerId: TextId,
    spec: z.record(z.string(), z.unknown()),
  },
  immutable: ["problemSetId", "compartments"],
  barrier: pictureReach,
  indexes: [{ fields: ["problemSetId", "layerId"] }],
});

/** What a reviewer says of a version. */
export const Feedback = entity("cop_feedback", {
  title: "feedback",
  fields: {
    ...placed,
    layerId: TextId,
    version: z.int().min(1).describe("The version that it is about."),
    text: z.string().trim().min(1).max(10_000),
    blocking: z.boolean().default(false).describe("While it is open the layer is not published."),
    featureId: z.string().max(200).optional(),
    status: z.enum(["open", "resolved"]),
    resolvedBy: PersonId.optional(),
    resolvedAt: Instant.optional(),
  },
  readonly: ["audience", "status", "resolvedBy", "resolvedAt"],
  hidden: ["audience"],
  immutable: ["problemSetId", "compartments"],
  filter: ["status"],
  barrier: pictureReach,
  lists: [{ by: ["problemSetId", "layerId"] }],
  indexes: [{ fields: ["layerId", "status"] }, ...outsideIndexes],
});
export type Feedback = Item<typeof Feedback>;

/** The states that a layer may go to from where it is, by `transition`. */
export const nextStates = (state: LayerState): LayerState[] =>
  LAYER_MOVES.filter(({ from }) => from === state).map(({ to }) => to);

/** What a move changes in the record. */
export const movedLayer = (layer: Layer, to: LayerState, by: string, at: string, reason?: string) => ({
  state: to,
  moves: [
    ...layer.moves,
    { from: layer.state, to, version: layer.version, at, by, ...(reason !== undefined && { reason }) },
  ].slice(-MOST_MOVES),
});

/** The state that a layer was in at a moment: as far back as its moves are kept. */
export function stateAt({ state, moves }: Pick<Layer, "state" | "moves">, at: string): LayerState {
  const next = moves.find((move) => move.at > at);
  return next ? next.from : state;
}
