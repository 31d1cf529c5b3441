import { z } from "zod";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";

export const COLUMNS = 12;
const ROWS = 1_000;

/** What a panel can show. */
const KINDS = [
  "activity",
  "members",
  "compartments",
  "positions",
  "gates",
  "governance",
  "objectives",
  "documents",
  "map",
  "graph",
  "messages",
  "resources",
  "sensors",
  "missions",
  "units",
  "decision-process",
  "feed",
  "assistant",
  "notes",
] as const;

const Setting = z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]);

export const Panel = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
      .describe("Unique in the layout."),
    kind: z.enum(KINDS).describe("What it shows."),
    title: z.string().max(200).optional(),
    column: z
      .int()
      .min(0)
      .max(COLUMNS - 1)
      .describe(`Leftmost column, from 0; a row has ${COLUMNS}.`),
    row: z.int().min(0).max(ROWS).describe("Topmost row, from 0."),
    width: z.int().min(1).max(COLUMNS),
    height: z.int().min(1).max(100),
    collapsed: z.boolean().optional(),
    settings: z
      .record(z.string().regex(/^[a-z][A-Za-z0-9]{0,40}$/), Setting)
      .optional()
      .describe("Settings of its own, by name."),
  })
  .meta({ id: "Panel" });
export type Panel = z.output<typeof Panel>;

/** A layout as clients send it; its JSON Schema is what is published. */
export const Layout = z.strictObject({ panels: z.array(Panel).max(60) });

/** What the schema cannot say: ids are unique, and no panel lies over the edge or on another. */
export function layoutFaults(panels: readonly Panel[]): { path: string; message: string }[] {
  return panels.flatMap((panel, at) => {
    const before = panels.slice(0, at);
    const twin = before.some(({ id }) => id === panel.id);
    const over = before.find((other) => overlap(panel, other));
    return [
      ...(twin ? [{ path: `panels.${at}.id`, message: "Another panel has this id." }] : []),
      ...(panel.column + panel.width > COLUMNS
        ? [{ path: `panels.${at}.width`, message: `It reaches beyond column ${COLUMNS - 1}.` }]
        : []),
      ...(over ? [{ path: `panels.${at}`, message: `It lies on the panel ${over.id}.` }] : []),
    ];
  });
}

const overlap = (one: Panel, other: Panel): boolean =>
  one.column < other.column + other.width &&
  other.column < one.column + one.width &&
  one.row < other.row + other.height &&
  other.row < one.row + one.height;

/** One layout a set, under the set's own id. */
export const PanelConfig = entity("problem-sets.panel-configs", {
  title: "panel layout",
  collection: "panel_configs",
  fields: { panels: z.array(Panel).max(60).default([]) },
  barrier: { set: "id" },
});
export type PanelConfig = Item<typeof PanelConfig>;
export const PanelConfigView = PanelConfig.view
  .pick({ panels: true, rev: true, updatedAt: true })
  .meta({ id: "PanelConfig" });

export const PanelsChanged = event("workspace.panels.changed", z.object({ problemSetId: z.string(), by: z.string() }), {
  activity: { words: () => "The panels were laid out anew." },
});

/** What a new set shows. */
export const FIRST_PANELS: readonly Panel[] = [
  { id: "activity", kind: "activity", column: 0, row: 0, width: 4, height: 6 },
  { id: "map", kind: "map", column: 4, row: 0, width: 8, height: 6 },
  { id: "members", kind: "members", column: 0, row: 6, width: 4, height: 4 },
  { id: "gates", kind: "gates", column: 4, row: 6, width: 4, height: 4 },
  { id: "messages", kind: "messages", column: 8, row: 6, width: 4, height: 4 },
];
