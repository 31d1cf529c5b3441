import { z } from "zod";
import { derivedId } from "../../../core/ids.ts";
import { invalid, type Detail } from "../../../core/problem.ts";

const MOST_ITEMS = 100;
const Text = z.string().trim().min(1).max(10_000);
const Line = z.string().trim().min(1).max(2_000);
const ItemId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "Lower-case letters, digits and hyphens, at most 40.")
  .optional()
  .describe("Identifies it in plans even after rewording; derived from the words if absent.");

/** Points of a list; each is known by its id. */
const points = <S extends z.ZodRawShape>(more: S) =>
  z.array(z.strictObject({ id: ItemId, statement: Line, ...more })).max(MOST_ITEMS);
const plain = points({});

export const Assumed = points({
  rationale: z.string().max(4_000).optional().describe("Why it is logical, necessary and realistic."),
  confirmBy: z.string().max(2_000).optional().describe("How and when it will be confirmed."),
  blocking: z.boolean().default(false).describe("Whether planning waits until it is accepted."),
});
const Constrained = points({
  kind: z.enum(["must", "must-not"]).describe("What must, or must not, be done."),
});

interface Field {
  schema: z.ZodType;
  /** As a sentence says it. */
  called: string;
  /** `some`: a text, or a list with something in it; `told`: a list that may be empty, once somebody said so. */
  wants: "some" | "told";
}

/**
 * What a design says, section by section (ATP 5-0.1, Army Design Methodology): frames of the environment and the
 * problem, the approach, and what planning is handed with it.
 */
export const SECTIONS = {
  environment: {
    currentState: { schema: Text, called: "the current state", wants: "some" },
    desiredEndState: { schema: Text, called: "the desired end state", wants: "some" },
  },
  problem: {
    problemStatement: { schema: Text, called: "the problem statement", wants: "some" },
    tensions: { schema: plain, called: "the tensions", wants: "some" },
    causes: { schema: plain, called: "the causes", wants: "some" },
  },
  approach: {
    conditions: { schema: plain, called: "the conditions that make up the end state", wants: "some" },
    linesOfEffort: {
      schema: points({
        conditions: z.array(z.string()).max(MOST_ITEMS).default([]).describe("Ids of the conditions that it achieves."),
      }),
      called: "the lines of effort",
      wants: "some",
    },
  },
  intent: {
    purpose: { schema: Text, called: "the purpose", wants: "some" },
    keyTasks: { schema: plain, called: "the key tasks", wants: "some" },
    endState: { schema: Text, called: "the end state of the intent", wants: "some" },
  },
  assumptions: { assumptions: { schema: Assumed, called: "the assumptions", wants: "told" } },
  risks: {
    risks: {
      schema: points({ mitigation: z.string().max(4_000).optional().describe("What is done about it.") }),
      called: "the risks",
      wants: "told",
    },
  },
  guidance: {
    planningGuidance: { schema: Text, called: "the planning guidance", wants: "some" },
    constraints: { schema: Constrained, called: "the constraints", wants: "told" },
  },
  assessment: {
    measures: {
      schema: points({
        condition: z.string().max(40).optional().describe("Id of the condition that it is a measure of."),
        indicator: z.string().max(2_000).optional().describe("The indicator that is observed."),
      }),
      called: "the measures of assessment",
      wants: "some",
    },
  },
} as const satisfies Record<string, Record<string, Field>>;
export type Section = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as [Section, ...Section[]];

type FieldsOf<S extends Section> = keyof (typeof SECTIONS)[S] & string;
type All = { [S in Section]: (typeof SECTIONS)[S] }[Section];
type Named = All extends infer One ? (One extends Record<string, Field> ? keyof One & string : never) : never;
export type FieldName = Named;

const entries = Object.entries(SECTIONS).flatMap(([section, fields]) =>
  Object.entries(fields as Record<string, Field>).map(([name, field]) => ({
    section: section as Section,
    name: name as FieldName,
    ...field,
  })),
);

/** Every field of every section, by name: each belongs to one section. */
export const FIELDS = Object.fromEntries(entries.map(({ name, schema }) => [name, schema.optional()])) as {
  currentState: z.ZodOptional<typeof Text>;
  desiredEndState: z.ZodOptional<typeof Text>;
  problemStatement: z.ZodOptional<typeof Text>;
  tensions: z.ZodOptional<typeof plain>;
  causes: z.ZodOptional<typeof plain>;
  conditions: z.ZodOptional<typeof plain>;
  linesOfEffort: z.ZodOptional<(typeof SECTIONS)["approach"]["linesOfEffort"]["schema"]>;
  purpose: z.ZodOptional<typeof Text>;
  keyTasks: z.ZodOptional<typeof plain>;
  endState: z.ZodOptional<typeof Text>;
  assumptions: z.ZodOptional<typeof Assumed>;
  risks: z.ZodOptional<(typeof SECTIONS)["risks"]["risks"]["schema"]>;
  planningGuidance: z.ZodOptional<typeof Text>;
  constraints: z.ZodOptional<typeof Constrained>;
  measures: z.ZodOptional<(typeof SECTIONS)["assessment"]["measures"]["schema"]>;
};
export const fieldsOf = (section: Section): FieldsOf<typeof section>[] =>
  Object.keys(SECTIONS[section]) as FieldsOf<typeof section>[];

/** What is said in a design, by field. */
export type DesignValues = { [N in FieldName]?: z.output<(typeof FIELDS)[N]> | undefined };
export interface DesignPoint {
  id?: string | undefined;
  statement: string;
}
/** The content of a section alone. */
export const saidIn = (section: Section, record: DesignValues | undefined): DesignValues =>
  Object.fromEntries(
    fieldsOf(section).flatMap((name) => {
      const value = record?.[name as FieldName];
      return value === undefined ? [] : [[name, value]];
    }),
  );

export interface Missing {
  section: Section;
  field: FieldName;
  message: string;
}
const titleOf = (section: string): string => `The ${section}`;

/** What a design lacks, in words; `said` holds the fields of all its sections. */
export function missingIn(said: DesignValues): Missing[] {
  return entries.flatMap(({ section, name, called, wants }) => {
    const value = said[name];
    if (wants === "told" ? value !== undefined : value !== undefined && value.length > 0) return [];
    const message =
      wants === "told"
        ? `Nobody has said ${called} yet; an empty list says that there are none.`
        : `${titleOf(section)} section lacks ${called}.`;
    return [{ section, field: name, message }];
  });
}

/**
 * A change of a section, its points with their ids. Throws 400 for fields of other sections, ids that stand twice and
 * lines of effort that lead to conditions which are not there.
 */
export function checked(
  problemSetId: string,
  section: Section,
  before: DesignValues,
  change: Record<string, unknown>,
): Record<string, unknown> {
  const faults: Detail[] = [];
  const own: readonly string[] = fieldsOf(section);
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  for (const [name] of given)
    if (!own.includes(name)) {
      const message = `The section ${section} has no such field; it has ${own.join(", ")}.`;
      faults.push({ path: name, message });
    }
  const named = Object.fromEntries(
    given.map(([name, value]) => [
      name,
      Array.isArray(value)
        ? withIds(`${problemSetId}/${section}/${name}`, name, value as DesignPoint[], faults)
        : value,
    ]),
  );
  const { conditions = [], linesOfEffort = [] } = { ...before, ...dropNulls(named) } as DesignValues;
  if (section === "approach") {
    const known = new Set(conditions.map(({ id }) => id));
    linesOfEffort.forEach(({ conditions: wanted }, at) =>
      wanted.forEach((id, n) => {
        if (!known.has(id))
          faults.push({ path: `linesOfEffort.${at}.conditions.${n}`, message: `There is no condition ${id}.` });
      }),
    );
  }
  if (faults.length) throw invalid(faults);
  return named;
}

const dropNulls = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? undefined]));

function withIds(place: string, field: string, items: readonly DesignPoint[], faults: Detail[]): DesignPoint[] {
  const seen = new Set<string>();
  return items.map((item, at) => {
    const id = item.id ?? derivedId(`${place}/${item.statement}`);
    if (seen.has(id)) faults.push({ path: `${field}.${at}`, message: "Another point of the list is the same." });
    seen.add(id);
    return { ...item, id };
  });
}
