import { z } from "zod";
import { LlmError, quoting } from "../../../adapters/llm/llm.ts";
import type { Host } from "../../../core/contract/endpoint.ts";

/** How untrusted text is marked as data. */
type Marks = ReturnType<typeof quoting>;

export interface Question<T> {
  name: string;
  schema: z.ZodType<T>;
  task: string;
  material(marks: Marks): string[];
  maxTokens?: number;
}

/** The longest that a request waits for a model. */
const PATIENCE_MS = 20_000;

/**
 * What the model answers, which is nothing yet: an acceptor takes of it what stands in the texts. Undefined without a
 * model, or where it fails: rules then do the work.
 */
export async function askModel<T>(
  { world: { llm }, logger }: Host,
  { name, schema, task, material, maxTokens = 1_024 }: Question<T>,
): Promise<{ value: T; model: string } | undefined> {
  if (!llm.configured) return undefined;
  const marks = quoting();
  const messages = [
    { role: "system" as const, content: `${task}\n\n${marks.rule}` },
    { role: "user" as const, content: material(marks).join("\n\n") },
  ];
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { value, model } = await llm.complete({ messages, schema, name, maxTokens, signal });
    return { value, model };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    logger.warn(`The model gave no answer to ${name} (${error.kind}); rules do the work.`);
    return undefined;
  }
}
