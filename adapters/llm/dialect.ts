import { LlmError } from "./errors.ts";

/**
 * Endpoints that call themselves OpenAI-compatible differ in what they understand of a request; this is what one of
 * them does.
 */
export interface Dialect {
  /** How the answer's form is demanded; `prompt` asks for it in words alone. */
  form: "json_schema" | "json_object" | "prompt";
  /** What the length limit is called: newer models refuse the older name, older servers do not know the newer one. */
  limit: "max_tokens" | "max_completion_tokens";
  /** Some reasoning models refuse any temperature but their own. */
  temperature: boolean;
  /** Whether a stream can be asked for its token count. */
  streamUsage: boolean;
}

export const fullDialect: Dialect = { form: "json_schema", limit: "max_tokens", temperature: true, streamUsage: true };

const WEAKER_FORM = { json_schema: "json_object", json_object: "prompt" } as const;

/**
 * The next simpler dialect when an endpoint rejected a request for the sake of one parameter; undefined where its words
 * name none.
 */
export function simpler(dialect: Dialect, error: unknown): Dialect | undefined {
  if (!(error instanceof LlmError) || error.kind !== "rejected" || (error.status !== 400 && error.status !== 422))
    return undefined;
  const names = (pattern: RegExp) => pattern.test(error.message);
  if (names(/response_format|json_schema|json_object/i) && dialect.form !== "prompt")
    return { ...dialect, form: WEAKER_FORM[dialect.form] };
  if (names(/max_(?:completion_)?tokens/i) && dialect.limit === "max_tokens")
    return { ...dialect, limit: "max_completion_tokens" };
  if (names(/temperature/i) && dialect.temperature) return { ...dialect, temperature: false };
  if (names(/stream_options|include_usage/i) && dialect.streamUsage) return { ...dialect, streamUsage: false };
  return undefined;
}
