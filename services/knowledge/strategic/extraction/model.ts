import { z } from "zod";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { sha256 } from "../../../../core/ids.ts";
import { locator } from "../../../../core/text/locate.ts";
import { askModel, type ModelQuestion } from "../../model-questions.ts";
import type { WholeText } from "../../documents/client.ts";

/** A part of a text for the model; offsets are those of the whole. */
export interface Chunk {
  start: number;
  end: number;
}

const CHUNK = 8_000;
const MOST_CHUNKS = 12;
const VERSION = "1";

/** Parts along the text's blocks, those that `bears` selects first, in the order of the text. */
export function chunksOf(
  { text, blocks }: Pick<WholeText, "text" | "blocks">,
  bears: (start: number, end: number) => boolean,
): Chunk[] {
  const chunks: Chunk[] = [];
  for (const { start, end } of blocks) {
    const last = chunks.at(-1);
    if (last && end - last.start <= CHUNK) last.end = end;
    else chunks.push({ start, end: Math.min(end, start + CHUNK) });
  }
  return chunks
    .filter(({ start, end }) => text.slice(start, end).isWellFormed() && bears(start, end))
    .slice(0, MOST_CHUNKS);
}

/** The question about each part of a text. */
export type PieceQuestion<T> = Omit<ModelQuestion<T>, "material">;

/** The answers of a run, by question: after a kill none is asked, and paid, again. */
export interface Memory {
  answers: Record<string, unknown>;
  fault?: string;
}

/**
 * The model's answer for a part of a text; undefined without a model, or after it failed: then rules alone decide. The
 * text is sent as quoted data, no tool is offered, and only what an acceptor takes from the answer is used.
 */
export async function asked<T>(
  host: Host,
  question: PieceQuestion<T>,
  text: string,
  { memory, signal, keep }: { memory: Memory; signal: AbortSignal; keep: () => Promise<void> },
): Promise<T | undefined> {
  const { llm } = host.world;
  if (!llm.configured) return undefined;
  const key = sha256(JSON.stringify([VERSION, question.name, llm.model, text])).slice(0, 32);
  const known = memory.answers[key];
  if (known !== undefined) return known as T;
  if (memory.fault !== undefined) return undefined;
  const { value, fault } = await askModel(
    host,
    { ...question, material: ({ quote }) => [quote(text, "document")] },
    { signal, patience: null },
  );
  if (fault !== undefined) memory.fault = fault;
  else memory.answers[key] = value;
  await keep();
  return value;
}

const ObjectivesAnswer = z.strictObject({
  objectives: z.array(z.strictObject({ quote: z.string().min(1).max(1_000) })).max(60),
});

export const objectivesQuestion: PieceQuestion<z.output<typeof ObjectivesAnswer>> = {
  name: "objectives",
  schema: ObjectivesAnswer,
  maxTokens: 3_000,
  task: [
    "You find the objectives in a plan: what our own side is to reach or to do, as the plan itself states it.",
    "Leave out what is quoted from others, denied, past, assumed, predicted, the enemy's, or about the " +
      "document itself.",
    "For each give `quote`, the whole sentence or list item exactly as it stands there.",
  ].join(" "),
};

/** Positions of an answer's quotations in the whole text; quotations that its part does not contain are dropped. */
export function placesIn(text: string, chunk: Chunk, quotes: readonly string[]): Chunk[] {
  const find = locator(text.slice(chunk.start, chunk.end));
  return quotes.flatMap((quote) => {
    const place = find(quote);
    return place ? [{ start: chunk.start + place.start, end: chunk.start + place.end }] : [];
  });
}
