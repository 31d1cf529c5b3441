import type { Data, Input } from "../../api/client.ts";
import type { FormFields } from "../../parts/form-fields.ts";

export type DesignPart = Data<"GET /design/{problemSetId}">["sections"][number];
export type DesignPartName = DesignPart["section"];
export type DesignChange = NonNullable<Input<"PATCH /design/{problemSetId}/{section}">["body"]>;

/** What a point of a list says beside its statement. */
interface Beside {
  name: string;
  label: string;
  /** `conditions` are those of the approach: one of them, or several. */
  kind: "text" | "check" | "condition" | "conditions" | readonly (readonly [string, string])[];
}
export interface DesignField {
  name: string;
  label: string;
  hint?: string;
  /** A list of points; a text without it. */
  points?: readonly Beside[];
  /** Nobody needs to have any, once somebody said so. */
  mayBeNone?: true;
}
interface Described {
  title: string;
  about: string;
  fields: readonly DesignField[];
}

const CONSTRAINTS = [
  ["must", "must be done"],
  ["must-not", "must not be done"],
] as const;

/** The parts of a design (ATP 5-0.1), in the order in which they are thought through. */
export const DESIGN_PARTS: Readonly<Record<DesignPartName, Described>> = {
  environment: {
    title: "Environment",
    about: "How things are, and how they are to be.",
    fields: [
      { name: "currentState", label: "How things are" },
      { name: "desiredEndState", label: "How they are to be" },
    ],
  },
  problem: {
    title: "Problem",
    about: "What stands between the two.",
    fields: [
      { name: "problemStatement", label: "The problem" },
      { name: "tensions", label: "Tensions", points: [], hint: "Whose wishes are at odds with whose." },
      { name: "causes", label: "Causes", points: [] },
    ],
  },
  approach: {
    title: "Approach",
    about: "What makes up the end, and along which lines it is reached.",
    fields: [
      { name: "conditions", label: "Conditions that make up the end state", points: [] },
      {
        name: "linesOfEffort",
        label: "Lines of effort",
        points: [{ name: "conditions", label: "It achieves", kind: "conditions" }],
      },
    ],
  },
  intent: {
    title: "Intent",
    about: "What everybody is to know who acts on their own.",
    fields: [
      { name: "purpose", label: "Purpose" },
      { name: "keyTasks", label: "Key tasks", points: [] },
      { name: "endState", label: "End state" },
    ],
  },
  assumptions: {
    title: "Assumptions",
    about: "What is taken to be so until it is confirmed. They go over to planning.",
    fields: [
      {
        name: "assumptions",
        label: "Assumptions",
        mayBeNone: true,
        points: [
          { name: "rationale", label: "Why it is sound and needed", kind: "text" },
          { name: "confirmBy", label: "How and when it is confirmed", kind: "text" },
          { name: "blocking", label: "Planning waits until it is accepted", kind: "check" },
        ],
      },
    ],
  },
  risks: {
    title: "Risks",
    about: "What may go wrong, and what is done about it.",
    fields: [
      {
        name: "risks",
        label: "Risks",
        mayBeNone: true,
        points: [{ name: "mitigation", label: "What is done about it", kind: "text" }],
      },
    ],
  },
  guidance: {
    title: "Guidance",
    about: "What planning is to keep to. The constraints go over to it.",
    fields: [
      { name: "planningGuidance", label: "Guidance for planning" },
      {
        name: "constraints",
        label: "Constraints",
        mayBeNone: true,
        points: [{ name: "kind", label: "It", kind: CONSTRAINTS }],
      },
    ],
  },
  assessment: {
    title: "Assessment",
    about: "By what is seen whether it works.",
    fields: [
      {
        name: "measures",
        label: "Measures",
        points: [
          { name: "condition", label: "Of the condition", kind: "condition" },
          { name: "indicator", label: "What is observed", kind: "text" },
        ],
      },
    ],
  },
};
export const PART_NAMES = Object.keys(DESIGN_PARTS) as DesignPartName[];
export const isPartName = (asked: string): asked is DesignPartName => Object.hasOwn(DESIGN_PARTS, asked);

export type DesignPoint = { id?: string; statement: string } & Readonly<Record<string, unknown>>;
/** What a part says in a field: a text, or points. */
export const saidIn = (part: DesignPart, name: string): unknown => (part as unknown as Record<string, unknown>)[name];
export const pointsIn = (part: DesignPart, name: string): readonly DesignPoint[] | undefined =>
  saidIn(part, name) as readonly DesignPoint[] | undefined;
export const textIn = (part: DesignPart, name: string): string | undefined => saidIn(part, name) as string | undefined;

/** What a form says of a part: fields are named as the API names what it refuses. */
export function changeFrom(
  name: DesignPartName,
  fields: FormFields,
  given: FormData,
  rows: Readonly<Record<string, number>>,
): DesignChange {
  const change = DESIGN_PARTS[name].fields.map(({ name: field, points }) => [
    field,
    points
      ? Array.from({ length: rows[field] ?? 0 }, (_, at) => pointFrom(`${field}.${at}`, points, fields, given))
      : (fields[field] ?? null),
  ]);
  return Object.fromEntries(change) as DesignChange;
}

function pointFrom(path: string, beside: readonly Beside[], fields: FormFields, given: FormData): object {
  const more: Record<string, unknown> = {};
  for (const { name, kind } of beside) {
    const said = fields[`${path}.${name}`];
    if (kind === "conditions") more[name] = given.getAll(`${path}.${name}`).map(String);
    else if (kind === "check") more[name] = said === "on";
    else if (said) more[name] = said;
  }
  const id = fields[`${path}.id`];
  return { ...(id && { id }), statement: fields[`${path}.statement`] ?? "", ...more };
}
