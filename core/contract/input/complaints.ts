import { z } from "zod";
import type { Detail } from "../../problem.ts";
import { editsBetween } from "../../text/words/spelling/edits.ts";

type Issue = z.core.$ZodIssue;
type Raw = z.core.$ZodRawIssue;

const KINDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
  tuple: "a list",
};
const PARTS: Readonly<Record<string, string>> = {
  array: "items",
  file: "bytes",
  map: "entries",
  record: "entries",
  set: "items",
  string: "characters",
};
const FORMATS: Readonly<Record<string, string>> = {
  base64: "Base64",
  base64url: "Base64 in the alphabet for URLs",
  date: "a date, as 2026-05-04",
  datetime: "an instant, as 2026-05-04T12:00:00Z",
  email: "an email address, as anna@example.org",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  time: "a time, as 12:00:00",
  url: "a URL, as https://example.org",
  uuid: "a UUID",
};
const MOST_VALUES = 30;
const MOST_NAMES = 12;
/** Suggestions are looked up for this many unknown fields at most: an answer names no more. */
const MOST_MEANT = 20;

/**
 * An offset whose `+` was not encoded in an address, where it stands for a blank: the value itself says what went wrong,
 * and how it is written. For the end of a complaint about a moment; empty for any other value.
 */
export const lostPlus = (given: unknown): string =>
  typeof given === "string" && /^\d{4}-\d\d-\d\dT[\d:.]{5,15} \d\d:?\d\d$/.test(given)
    ? " In an address `+` is read as a blank: write `%2B`."
    : "";

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : (KINDS[typeof value] ?? "something else");
const wanted = (expected: string): string => KINDS[expected] ?? expected;
const oneOf = (values: readonly unknown[]): string => {
  const told = values
    .slice(0, MOST_VALUES)
    .map((value) => (typeof value === "string" ? `\`${value}\`` : String(value)));
  return told.length === 1 ? told[0]! : `one of ${told.join(", ")}${values.length > MOST_VALUES ? " and others" : ""}`;
};

function bound(issue: Raw, least: boolean): string {
  const { origin, exact, inclusive } = issue as { origin: string; exact?: boolean; inclusive?: boolean };
  const limit = (least ? issue["minimum"] : issue["maximum"]) as number | bigint;
  const parts = PARTS[origin];
  if (parts && least && Number(limit) === 1 && !exact) return "Must not be empty.";
  const words = exact
    ? "exactly"
    : least
      ? inclusive
        ? "at least"
        : "more than"
      : inclusive
        ? "at most"
        : "less than";
  return parts ? `Must have ${words} ${limit} ${parts}.` : `Must be ${words} ${limit}.`;
}

/** What is wrong with a value, in a sentence for whoever sent it; undefined leaves it to the library's words. */
function worded(issue: Raw): string | undefined {
  const isMissing = issue.input === undefined;
  switch (issue.code) {
    case "invalid_type": {
      const kind = wanted(issue.expected as string);
      if (isMissing) return issue.expected === "nonoptional" ? "Is required." : `Is required: ${kind}.`;
      const given = typeof issue.input === "number" ? String(issue.input) : kindOf(issue.input);
      return `Must be ${kind}, and is ${given}.`;
    }
    case "invalid_value": {
      const values = oneOf(issue.values as readonly unknown[]);
      return isMissing ? `Is required: ${values}.` : `Must be ${values}.`;
    }
    case "invalid_union":
      if (isMissing) return "Is required.";
      return Array.isArray(issue["options"]) ? `Must be ${oneOf(issue["options"])}.` : undefined;
    case "too_small":
      return bound(issue, true);
    case "too_big":
      return bound(issue, false);
    case "not_multiple_of":
      return `Must be a multiple of ${String(issue.divisor)}.`;
    case "invalid_format": {
      if (issue.format === "regex") return `Must fit the pattern ${String(issue["pattern"])}.`;
      const format = FORMATS[issue.format as string];
      return format && `Must be ${format}.${lostPlus(issue.input)}`;
    }
    case "invalid_key":
      return (issue.issues as readonly Issue[])[0]?.message;
    default:
      return undefined;
  }
}

z.config({ customError: worded });

const LEAST_BEGINNING = 3;

/**
 * The name that was probably meant: the nearest one where it is near, by `slips` letters at most, or the only one that
 * begins with what was given.
 */
export function meantBy(name: string, known: Iterable<string>, slips = 3): string | undefined {
  const names = new Set(known);
  const most = Math.min(slips, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const one of names) {
    const edits = editsBetween(name.toLowerCase(), one.toLowerCase(), most);
    if (edits < least) [best, least] = [one, edits];
  }
  if (best !== undefined || name.length < LEAST_BEGINNING) return best;
  const begun = [...names].filter((one) => one.startsWith(name));
  return begun.length === 1 ? begun[0] : undefined;
}

/** Says that there is no such field or parameter, and which one may be meant, or which there are. */
export function unknownName(what: string, meant: string | undefined, known: Iterable<string> = []): string {
  if (meant !== undefined) return `There is no such ${what}; did you mean \`${meant}\`?`;
  const names = [...known];
  const told = names.slice(0, MOST_NAMES).map((name) => `\`${name}\``);
  if (names.length === 0) return `There is no such ${what}.`;
  return `There is no such ${what}; there are ${told.join(", ")}${names.length > MOST_NAMES ? " and others" : ""}.`;
}

const addressed = new WeakMap<z.core.$ZodType, ReadonlySet<string>>();

/** Names that come from a request's address: whoever writes its body is not told of them as fields. */
export function inAddress<S extends z.core.$ZodType>(schema: S, names: Iterable<string>): S {
  addressed.set(schema, new Set(names));
  return schema;
}

/** The fields of the object that lies at a path of a schema; none where it is not an object there. */
function fieldsAt(
  schema: z.core.$ZodType | undefined,
  path: readonly PropertyKey[],
): Readonly<Record<string, z.core.$ZodType>> {
  let at: any = schema;
  for (const step of [...path, undefined]) {
    while (at?._zod.def.innerType) at = at._zod.def.innerType;
    const { shape, element } = at?._zod.def ?? {};
    if (step === undefined) return without(shape ?? {}, addressed.get(at));
    at = typeof step === "number" ? element : shape?.[step];
  }
  return {};
}

const without = <V>(fields: Record<string, V>, names: ReadonlySet<string> | undefined): Record<string, V> =>
  names ? Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name))) : fields;

/** A message that a schema brings itself, in the same form as the others. */
const sentence = (message: string): string =>
  message.charAt(0).toUpperCase() + message.slice(1) + (/[.…?!]$/.test(message) ? "" : ".");

const at = (prefix: string, path: readonly PropertyKey[]): string =>
  [prefix, ...path.map(String)].filter(Boolean).join(".");

/**
 * What each form of a union wants, or, where one form was clearly meant, what is wrong with that one: the form with the
 * fewest complaints.
 */
function unionComplaints(issue: z.core.$ZodIssueInvalidUnion, prefix: string): Detail[] | undefined {
  const forms = issue.errors ?? [];
  const isOther = ({ code, path }: Issue) => code === "invalid_type" && path.length === 0;
  const meant = forms
    .filter((errors) => errors.length && !errors.some(isOther))
    .sort((one, other) => one.length - other.length)[0];
  if (meant) return complaintsAbout(meant, undefined, prefix);
  const kinds = new Set(
    forms.flatMap((errors) => errors.filter(isOther).map((one) => wanted((one as { expected: string }).expected))),
  );
  return kinds.size ? [{ path: prefix, message: `Must be ${[...kinds].join(" or ")}.` }] : undefined;
}

/**
 * The complaints of a schema about a value, each with the path of its field and a sentence: which fields are missing,
 * which are none and what may have been meant, and of alternatives what is wrong with the nearest one.
 */
export function complaintsAbout(issues: readonly Issue[], schema?: z.core.$ZodType, prefix = ""): Detail[] {
  const missing = (beside: readonly PropertyKey[]): string[] =>
    issues
      .filter(({ message, path }) => message.startsWith("Is required") && path.length === beside.length + 1)
      .filter(({ path }) => beside.every((step, depth) => path[depth] === step))
      .map(({ path }) => String(path.at(-1)));
  return issues.flatMap((issue) => {
    const path = at(prefix, issue.path);
    if (issue.code === "invalid_union" && issue.errors?.length && !issue.message.startsWith("Is required"))
      return unionComplaints(issue, path) ?? [{ path, message: sentence(issue.message) }];
    if (issue.code !== "unrecognized_keys") return [{ path, message: sentence(issue.message) }];
    const wantedBeside = missing(issue.path);
    return issue.keys.map((key, count) => {
      if (count >= MOST_MEANT) return { path: at(path, [key]), message: unknownName("field", undefined) };
      const near = meantBy(key, [...wantedBeside, ...Object.keys(fieldsAt(schema, issue.path))]);
      const only = wantedBeside.length === 1 && issue.keys.length === 1 ? wantedBeside[0] : undefined;
      const meant = near ?? only;
      // Told once, as of parameters.
      const known = meant === undefined && count === 0 ? Object.keys(fieldsAt(schema, issue.path)) : [];
      return { path: at(path, [key]), message: unknownName("field", meant, known) };
    });
  });
}
