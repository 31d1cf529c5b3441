import { z } from "zod";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isWordAt } from "../../../../core/text/words/words.ts";
import { askModel, type Marks } from "../../model-questions.ts";
import { ENTITY_TYPES } from "../statements/vocabulary.ts";
import { mentionAt, type Mention, type ReadText } from "./mentions.ts";

const Answer = z.object({
  entities: z.array(z.object({ text: z.string().max(120), type: z.enum(ENTITY_TYPES) })).max(200),
});
export type Pointed = z.output<typeof Answer>["entities"][number];

/** Characters that the model sees at once, and how often it is asked of one text. */
const PIECE = 6_000;
const MOST_PIECES = 10;
const MOST_TOKENS = 2_000;
const PATIENCE_MS = 30_000;
const TRUST = 2;

const TASK =
  "Name the entities of the text: people, organisations, military units, groups, countries, places, " +
  "facilities, events, equipment, documents. Answer each exactly as it stands in the text, with one of these " +
  `types: ${ENTITY_TYPES.join(", ")}.`;

/** What a model points at in a text; nothing where none is configured, or where it fails. */
export async function pointedAt(host: Host, text: string, signal: AbortSignal): Promise<Pointed[]> {
  const found: Pointed[] = [];
  for (let from = 0, piece = 0; from < text.length && piece < MOST_PIECES; from += PIECE, piece += 1) {
    const material = ({ quote }: Marks): string[] => [quote(text.slice(from, from + PIECE), "text")];
    const asked = { name: "graph_entities", schema: Answer, task: TASK, material, maxTokens: MOST_TOKENS };
    const { value } = await askModel(host, asked, { signal, patience: AbortSignal.timeout(PATIENCE_MS) });
    if (!value) return found;
    found.push(...value.entities);
  }
  return found;
}

/** What a model pointed at and stands in the text as whole words: rules weigh it with everything else that they see. */
export const accepted =
  (text: string, pointed: readonly Pointed[]) =>
  ({ sentences, mentions }: ReadText): Mention[] => {
    const found: Mention[] = [];
    for (const { text: name, type } of new Map(pointed.map((one) => [one.text, one])).values()) {
      if (name.trim().length < 2) continue;
      for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + name.length)) {
        const end = start + name.length;
        if ((start > 0 && isWordAt(text, start - 1) && isWordAt(text, start)) || isWordAt(text, end)) continue;
        const sign = { type, weight: TRUST, reason: "model" };
        const same = mentions.find((mention) => mention.start < end && mention.end > start);
        if (same) same.signs.push(sign);
        const which = same ? -1 : sentences.findIndex((one) => start >= one.start && end <= one.end);
        if (which < 0) continue;
        const mention = mentionAt(text, { start, end }, sentences[which]!, which);
        if (mention.key) found.push({ ...mention, signs: [...mention.signs, sign] });
      }
    }
    return found;
  };
