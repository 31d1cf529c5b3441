import { spelled } from "./words.ts";

/** A field of a form, made of one property of a JSON Schema. */
export interface SchemaField {
  name: string;
  label: string;
  hint: string | undefined;
  kind: "text" | "long" | "number" | "flag" | "choice" | "moment" | "list" | "json";
  isRequired: boolean;
  options: readonly string[];
  initial: string;
}

type Schema = Readonly<Record<string, any>>;
const LONG = 300;

/** The variant of a property that is not null. */
const variantOf = (property: Schema): Schema =>
  ((property["anyOf"] ?? property["oneOf"]) as Schema[] | undefined)?.find(({ type }) => type !== "null") ?? property;

function kindOf(schema: Schema): SchemaField["kind"] {
  if (schema["enum"]) return "choice";
  switch (schema["type"]) {
    case "boolean":
      return "flag";
    case "integer":
    case "number":
      return "number";
    case "string":
      if (schema["format"] === "date-time") return "moment";
      return (schema["maxLength"] ?? 0) > LONG ? "long" : "text";
    case "array":
      return schema["items"]?.type === "string" ? "list" : "json";
    default:
      return "json";
  }
}

const HINTS: Partial<Record<SchemaField["kind"], string>> = { list: "Separated by commas.", json: "As JSON." };

/** The fields that a schema asks for, the needed ones first; `known` are filled in by the page. */
export function fieldsOf(schema: Schema, known: readonly string[] = []): SchemaField[] {
  const needed: readonly string[] = schema["required"] ?? [];
  const fields = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>)
    .filter(([name]) => !known.includes(name))
    .map(([name, property]): SchemaField => {
      const variant = variantOf(property);
      const kind = kindOf(variant);
      const hint = [property["description"] ?? variant["description"], HINTS[kind]].filter(Boolean).join(" ");
      return {
        name,
        label: spelled(name),
        hint: hint || undefined,
        kind,
        isRequired: needed.includes(name),
        options: (variant["enum"] as unknown[] | undefined)?.map(String) ?? [],
        initial: typeof property["default"] === "object" ? "" : String(property["default"] ?? ""),
      };
    });
  return fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** What was written into a field, as the value that the schema wants. Throws for JSON that is none. */
function valueOf({ kind, label }: SchemaField, text: string): unknown {
  if (kind === "number") return Number(text);
  if (kind === "flag") return text === "on";
  if (kind === "moment") return new Date(text).toISOString();
  if (kind === "list")
    return text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean);
  if (kind !== "json") return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label}: this is not JSON.`);
  }
}

/** The filled-in fields of a form as values; those left empty are left out. */
export const valuesOf = (
  fields: readonly SchemaField[],
  given: Readonly<Record<string, string>>,
  prefix = "",
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = given[prefix + field.name];
      return text === undefined ? [] : [[field.name, valueOf(field, text)]];
    }),
  );
