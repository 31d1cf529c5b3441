import type { ListRow } from "../../../api/client.ts";
import type { FormFields } from "../../../parts/form.tsx";

export type ClaimedKind = ListRow<"GET /credentials">["kind"];

/** One thing that a credential says of its subject. */
export interface ClaimField {
  name: string;
  label: string;
  hint?: string;
  isNeeded?: true;
  /** A text of one line unless it says otherwise. */
  as?: "choice" | "lines" | "sources" | "value";
  options?: readonly (readonly [string, string])[];
}

const LEVELS = [
  ["unclassified", "Unclassified"],
  ["restricted", "Restricted"],
  ["confidential", "Confidential"],
  ["secret", "Secret"],
  ["top-secret", "Top secret"],
] as const;
const NATION: ClaimField = { name: "nation", label: "Nation", hint: "Three letters, such as NOR." };

const FIELDS: Readonly<Record<ClaimedKind, readonly ClaimField[]>> = {
  "security-clearance": [
    { name: "level", label: "Cleared to", as: "choice", options: LEVELS, isNeeded: true },
    { name: "authority", label: "Granted by", hint: "The authority that examined them." },
    NATION,
  ],
  "role-assignment": [
    { name: "role", label: "Role", isNeeded: true },
    { name: "position", label: "Position", hint: "The post that the role is held in." },
    { name: "scope", label: "What it covers" },
  ],
  "coalition-membership": [
    { name: "coalition", label: "Coalition", isNeeded: true },
    {
      name: "participation",
      label: "Takes part as",
      as: "choice",
      isNeeded: true,
      options: [
        ["member", "member"],
        ["lead", "lead"],
        ["partner", "partner"],
        ["observer", "observer"],
      ],
    },
    NATION,
    { name: "caveats", label: "National caveats", as: "lines", hint: "One a line." },
  ],
  "entity-attribute": [
    { name: "entityType", label: "What it is", hint: "Such as vessel, organisation, sensor." },
    { name: "attribute", label: "Attribute", hint: "Such as draught.", isNeeded: true },
    { name: "value", label: "Value", as: "value", isNeeded: true },
    { name: "unit", label: "Unit", hint: "Of a measured value, by its UCUM code, such as m." },
  ],
  "derivative-data": [
    { name: "contentHash", label: "SHA-256 of the data", hint: "64 hexadecimal characters.", isNeeded: true },
    { name: "contentType", label: "Kind of file", hint: "Its media type, such as text/csv." },
    {
      name: "derivedFrom",
      label: "Derived from",
      as: "sources",
      hint: "Addresses (URIs), one a line.",
      isNeeded: true,
    },
    { name: "method", label: "How it was derived", isNeeded: true },
    { name: "classification", label: "Classification", as: "choice", options: LEVELS, isNeeded: true },
  ],
  "user-profile": [
    { name: "displayName", label: "Name", isNeeded: true },
    { name: "email", label: "Email" },
    { name: "organisation", label: "Organisation" },
    { name: "jobTitle", label: "Position" },
    { name: "locale", label: "Language", hint: "Such as en-GB." },
    { name: "timeZone", label: "Time zone", hint: "Such as Europe/Oslo." },
  ],
};

/** Kinds that can say what their subject holds in a problem set. */
export const IN_SETS: readonly ClaimedKind[] = ["security-clearance", "role-assignment"];

const SET_ROLES = ["commander", "deputy", "planner", "analyst", "liaison", "observer"];
/** What a kind says; in a problem set a role is one of its own, and none above that of whoever issues. */
export const claimsAsked = (kind: ClaimedKind, ownRole: string | undefined): readonly ClaimField[] =>
  FIELDS[kind].map((field) =>
    field.name === "role" && ownRole !== undefined
      ? {
          ...field,
          as: "choice",
          options: SET_ROLES.slice(SET_ROLES.indexOf(ownRole)).map((one) => [one, one] as const),
        }
      : field,
  );

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** A measured value is a number. */
const measured = (text: string): string | number => {
  const trimmed = text.trim();
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
};

function valueOf({ as }: ClaimField, text: string): unknown {
  if (as === "lines") return linesOf(text);
  if (as === "sources") return linesOf(text).map((source) => ({ source }));
  return as === "value" ? measured(text) : text.trim();
}

/** The filled-in fields as claims; those left empty are not said. */
export const claimsIn = (asked: readonly ClaimField[], fields: FormFields): Record<string, unknown> =>
  Object.fromEntries(
    asked.flatMap((field) => {
      const text = fields[field.name];
      return text === undefined ? [] : [[field.name, valueOf(field, text)]];
    }),
  );
