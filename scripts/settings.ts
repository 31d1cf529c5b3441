import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SETTINGS } from "../config/env.ts";

const FILE = join(import.meta.dirname, "../docs/settings.md");

const HEAD = `# Settings

<!-- Written by \`npm run settings\` from config/settings: change it there. -->

Settings are read once, at the start, from the environment and from \`.env\` in the working folder. The environment takes
precedence, and an empty value counts as absent. If a value is invalid or settings contradict each other
(\`config/env.ts:conflicts\`), the process lists all errors and exits with 1.

| Name | Default | Values | What it does |
|---|---|---|---|
`;

const code = (value: unknown): string => `\`${String(value)}\``;
/** A number as people write it, where it ends a range. */
const grouped = (value: number): string => value.toLocaleString("en-GB");

/** What a value may be, where the schema says more than that it is a text. */
function valuesOf(schema: z.ZodType): string {
  const form = z.toJSONSchema(schema, { unrepresentable: "any", io: "output" }) as z.core.JSONSchema.JSONSchema;
  const { enum: named, type, minimum, maximum } = form;
  if (named) return named.map(code).join(", ");
  if (type !== "number" && type !== "integer") return "";
  const isOpen = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER;
  return isOpen ? `from ${grouped(minimum ?? 0)}` : `${grouped(minimum ?? 0)} to ${grouped(maximum)}`;
}

/** The default as somebody would write it into the environment. */
function defaultOf(schema: z.ZodType): string {
  const { def } = schema as unknown as { def: { type: string; defaultValue?: unknown } };
  if (def.type !== "default") return "";
  const value = Array.isArray(def.defaultValue) ? def.defaultValue.join(",") : def.defaultValue;
  return typeof value === "object" || value === "" ? "" : code(value);
}

/** The page that says what can be set, made of the declarations. */
export function settingsPage(): string {
  const rows = Object.entries(SETTINGS).map(([name, schema]) => [
    code(name),
    defaultOf(schema),
    valuesOf(schema),
    schema.description,
  ]);
  return `${HEAD}${rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("")}`;
}

if (import.meta.main) {
  writeFileSync(FILE, settingsPage());
  console.log(`wrote ${FILE}`);
}
