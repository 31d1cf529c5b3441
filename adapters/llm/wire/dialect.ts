import { LlmError } from "../errors.ts";
import type { ToolForm } from "../port.ts";

/**
 * Endpoints that call themselves OpenAI-compatible differ in what they understand of a request; this is what one of
 * them does.
 */
export interface Dialect {
  /** How the answer's form is demanded; `prompt` asks for it in words alone. */
  form: "json_schema" | "json_object" | "prompt";
  /** What the length limit is called: newer models refuse the older name, older servers do not know the newer one. */
  limit: "max_tokens" | "max_completion_tokens";
  /** Whether tools are offered as such, or in words. */
  tools: ToolForm;
  /** Whether a call can be demanded. */
  choice: boolean;
  /** Some reasoning models refuse any temperature but their own. */
  temperature: boolean;
  /** Whether a stream can be asked for its token count. */
  streamUsage: boolean;
}

export const fullDialect: Dialect = {
  form: "json_schema",
  limit: "max_tokens",
  tools: "native",
  choice: true,
  temperature: true,
  streamUsage: true,
};

const WEAKER_FORM = { json_schema: "json_object", json_object: "prompt" } as const;

/**
 * The next simpler dialect when an endpoint rejected a request for the sake of one parameter; undefined where its words
 * name none.
 */
export function simpler(dialect: Dialect, error: unknown): Dialect | undefined {
  if (!(error instanceof LlmError) || error.kind !== "rejected") return undefined;
  const names = (pattern: RegExp) => pattern.test(error.message);
  // Endpoints that stand before several models say 404 where none of them takes tools.
  if (error.status === 404 && names(/\btools?\b/i) && dialect.tools === "native")
    return { ...dialect, tools: "structured" };
  if (error.status !== 400 && error.status !== 422) return undefined;
  if (names(/tool_choice/i) && dialect.choice) return { ...dialect, choice: false };
  if (names(/\btools?\b|tool[_ -](?:choice|call)|function[_ -]call/i) && dialect.tools === "native")
    return { ...dialect, tools: "structured" };
  if (names(/response_format|json_schema|json_object/i) && dialect.form !== "prompt")
    return { ...dialect, form: WEAKER_FORM[dialect.form] };
  if (names(/max_(?:completion_)?tokens/i) && dialect.limit === "max_tokens")
    return { ...dialect, limit: "max_completion_tokens" };
  if (names(/temperature/i) && dialect.temperature) return { ...dialect, temperature: false };
  if (names(/stream_options|include_usage/i) && dialect.streamUsage) return { ...dialect, streamUsage: false };
  return undefined;
}
