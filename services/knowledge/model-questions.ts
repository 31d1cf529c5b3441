import type { z } from "zod";
import { faultOf, LlmError, quoting } from "../../adapters/llm/llm.ts";
import type { Host } from "../../core/contract/endpoint.ts";

/** How untrusted text is marked as data. */
export type Marks = ReturnType<typeof quoting>;

/** What a model is asked: a task of ours, and material of others, quoted. */
export interface ModelQuestion<T> {
  name: string;
  schema: z.ZodType<T>;
  task: string;
  material(marks: Marks): string[];
  maxTokens?: number;
}

/** What came of asking: a value, or why there is none; neither without a model. */
export interface ModelAnswer<T> {
  value?: T;
  model?: string;
  fault?: string;
}

/** The longest that a request waits for a model. */
const PATIENCE_MS = 20_000;

/**
 * What the model answers, which is nothing yet: an acceptor takes of it what stands in the texts. Without a model, or
 * where it fails, rules do the work. Throws only what is no failure of the model, or when `signal` calls the work off.
 */
export async function askModel<T>(
  { world: { llm }, logger }: Pick<Host, "world" | "logger">,
  { name, schema, task, material, maxTokens = 1_024 }: ModelQuestion<T>,
  { signal, patience = AbortSignal.timeout(PATIENCE_MS) }: { signal?: AbortSignal; patience?: AbortSignal | null } = {},
): Promise<ModelAnswer<T>> {
  if (!llm.configured) return {};
  const marks = quoting();
  const messages = [
    { role: "system" as const, content: `${task}\n\n${marks.rule}` },
    { role: "user" as const, content: material(marks).join("\n\n") },
  ];
  const bounds = [signal, patience].filter((one) => one instanceof AbortSignal);
  try {
    const { value, model } = await llm.complete({ messages, schema, name, maxTokens, signal: AbortSignal.any(bounds) });
    return { value, model };
  } catch (error) {
    if (!(error instanceof LlmError) || signal?.aborted) throw error;
    logger.warn(`The model gave no answer to ${name} (${error.kind}); rules do the work.`);
    return { fault: faultOf(error) };
  }
}
