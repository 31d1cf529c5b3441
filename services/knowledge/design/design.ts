import { z } from "zod";
import { PersonId } from "../../../core/access/person-reference.ts";
import { derivedId, sha256 } from "../../../core/ids.ts";
import { conflict } from "../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { FIELDS, saidIn, SECTION_NAMES, type DesignValues, type Section } from "./sections.ts";

const inSet = { set: "problemSetId" } as const;

/** One record a section, so that two who edit two of them are not in each other's way. */
export const DesignSection = entity("design.sections", {
  title: "section of the design",
  fields: {
    problemSetId: TextId.describe("The problem set, which the design is of: it has its id."),
    section: z.enum(SECTION_NAMES),
    ...FIELDS,
    updatedBy: PersonId.optional(),
  },
  readonly: ["updatedBy"],
  immutable: ["problemSetId", "section"],
  barrier: inSet,
  indexes: [{ fields: ["problemSetId", "section"], unique: true }],
});
export type DesignSection = Item<typeof DesignSection>;

export const sectionId = (problemSetId: string, section: Section): string =>
  derivedId(`design of ${problemSetId}: ${section}`);

/** Everything that is said in a design, whichever section says it. */
export const saidInAll = (sections: readonly DesignSection[]): DesignValues =>
  Object.assign({}, ...sections.map((one) => saidIn(one.section, one as DesignValues)));

/** A section as it went over, with the revision it had. */
const Sent = z.object({ id: z.string(), section: z.enum(SECTION_NAMES), rev: z.int(), ...FIELDS });
export type SentSection = z.output<typeof Sent>;

/** What went over to planning, as it was. */
export const Handoff = entity("design.handoffs", {
  title: "handoff",
  fields: {
    problemSetId: TextId,
    number: z.int().describe("Number of the handoff of this design, from 1."),
    hash: z.string().describe("SHA-256 of what the sections say."),
    sections: z.array(Sent),
    by: PersonId,
    at: Instant,
  },
  immutable: ["problemSetId"],
  barrier: inSet,
  most: {
    count: 1_000,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A design is handed over at most ${count} times.`),
  },
  indexes: [{ fields: ["problemSetId", "number"] }, { fields: ["by"] }],
});
export type Handoff = Item<typeof Handoff>;

/** How far a design went: one record a set, under the set's id, by which handoffs follow one another. */
export const Design = entity("design.designs", {
  title: "design",
  collection: "designs",
  fields: {
    number: z.int().describe("Of the last handoff; 0 before the first."),
    hash: z.string().optional(),
    handoffId: z.string().optional(),
    /** Rises whenever a gate is put in the way: a handoff is written by the count it was judged under. */
    obstructions: z.int().optional(),
  },
  hidden: ["obstructions"],
  barrier: { set: "id" },
});
export type Design = Item<typeof Design>;

const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : value && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, inner]) => inner !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, inner]) => [name, canonical(inner)]),
        )
      : value;

/** The design as it would go over now, and the hash of what it says. */
export function snapshotOf(records: readonly DesignSection[]): { sections: SentSection[]; hash: string } {
  const sections = SECTION_NAMES.flatMap((section): SentSection[] => {
    const record = records.find((one) => one.section === section);
    return record
      ? [{ id: record.id, section, rev: record.rev, ...saidIn(section, record as DesignValues) } as SentSection]
      : [];
  });
  const said = sections
    .map(({ id: _id, rev: _rev, ...content }) => content)
    .filter((one) => Object.keys(one).length > 1);
  return { sections, hash: sha256(JSON.stringify(canonical(said))) };
}

export const Difference = z.object({
  section: z.enum(SECTION_NAMES),
  field: z.string(),
  item: z.string().optional().describe("Id of the point of a list."),
  change: z.enum(["added", "removed", "changed"]),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export type Difference = z.output<typeof Difference>;

/** What is otherwise than at the last handoff, point by point. */
export function differences(before: readonly SentSection[], after: readonly SentSection[]): Difference[] {
  const of = (sections: readonly SentSection[], section: Section): DesignValues =>
    saidIn(section, sections.find((one) => one.section === section) as DesignValues | undefined);
  return SECTION_NAMES.flatMap((section) => {
    const [old, now] = [of(before, section), of(after, section)] as [Record<string, unknown>, Record<string, unknown>];
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((field) =>
      changesOf(old[field], now[field]).map((change) => ({ section, field, ...change })),
    );
  });
}

type Change = Omit<Difference, "section" | "field">;
const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));

function changesOf(before: unknown, after: unknown): Change[] {
  if (same(before, after)) return [];
  if (before === undefined || after === undefined || !Array.isArray(before) || !Array.isArray(after))
    return [
      {
        change: before === undefined ? "added" : after === undefined ? "removed" : "changed",
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      },
    ];
  const byId = (items: readonly { id?: string }[]) => new Map(items.map((item) => [item.id ?? "", item]));
  const [old, now] = [byId(before), byId(after)];
  const found = [...new Set([...old.keys(), ...now.keys()])].flatMap((id) =>
    changesOf(old.get(id), now.get(id)).map((change) => ({ item: id, ...change })),
  );
  // The same points in another order.
  return found.length ? found : [{ change: "changed", before, after }];
}
