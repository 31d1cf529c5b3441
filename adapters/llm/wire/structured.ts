import { z } from "zod";
import type { ChatMessage, CompletionRequest } from "../port.ts";

/** JSON Schema as the endpoint gets it. `input` form: what the model must write, before defaults and transforms. */
export const jsonSchema = (schema: z.ZodType): Record<string, unknown> => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return shape;
};

export type ParseResult<T> = { ok: true; value: T } | { ok: false; complaint: string };

/** Values that are tried: prose before the answer may have brackets of its own. */
const MOST_VALUES = 20;

/** Reads a model's answer: the first whole JSON value in it that fits the schema (bare, fenced or amid prose). */
export function parseAnswer<T>(answer: string, schema: z.ZodType<T>): ParseResult<T> {
  let longest = "";
  let complaint = "The answer holds no complete JSON value.";
  let from = 0;
  for (let tries = 0; tries < MOST_VALUES; tries += 1) {
    const json = firstJson(answer, from);
    if (json === undefined) break;
    const read = parsed(json.text, schema);
    if (read.ok) return read;
    if (json.text.length > longest.length) [longest, complaint] = [json.text, read.complaint];
    // Not within it: a part of a broken answer can fit by itself.
    from = json.start + json.text.length;
  }
  return { ok: false, complaint };
}

function parsed<T>(json: string, schema: z.ZodType<T>): ParseResult<T> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { ok: false, complaint: `The answer is not valid JSON: ${(error as Error).message.slice(0, 200)}` };
  }
  const result = schema.safeParse(value);
  return result.success ? { ok: true, value: result.data } : { ok: false, complaint: complaints(result.error) };
}

const MOST_COMPLAINTS = 8;

const complaints = (error: z.ZodError): string =>
  error.issues
    .slice(0, MOST_COMPLAINTS)
    .map(({ path, message }) => `${path.join(".") || "(the whole)"}: ${message}`)
    .join("\n");

/** From the first opening bracket on to the one that closes it, strings skipped; undefined where none closes. */
function firstJson(text: string, from: number): { start: number; text: string } | undefined {
  const start = text.slice(from).search(/[{[]/) + from;
  if (start < from) return undefined;
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return { start, text: text.slice(start, at + 1) };
    }
  }
  return undefined;
}

/** The system's sentence on form: it also serves endpoints that ignore `response_format`. */
export const formRule = (schema: z.ZodType): string =>
  `Answer with one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(jsonSchema(schema))}`;

/**
 * The messages of a structured question as they are sent. The form's rule joins the first system message: some
 * endpoints take one system message only.
 */
export function withFormRule<T>({
  messages,
  schema,
}: Pick<CompletionRequest<T>, "messages" | "schema">): CompletionRequest<T>["messages"] {
  const [first, ...rest] = messages;
  const rule = formRule(schema);
  return first?.role === "system"
    ? [{ role: "system", content: `${first.content}\n\n${rule}` }, ...rest]
    : [{ role: "system", content: rule }, ...messages];
}

const LONGEST_ECHO = 4_000;

const AGAIN = "Write the whole answer again: one JSON value that fits the schema, shorter if it was cut.";

/** The conversation that asks once more: the failed answer and what is wrong with it. */
export const repair = (
  messages: readonly ChatMessage[],
  answer: string,
  complaint: string,
  again = AGAIN,
): ChatMessage[] => [
  ...messages,
  { role: "assistant", content: answer.slice(0, LONGEST_ECHO) || "(no answer)" },
  {
    role: "user",
    content: `That answer cannot be used:\n${complaint}\n${again}`,
  },
];
