import { isContent } from "../../core/text/words/terms.ts";
import { words } from "../../core/text/words/words.ts";
import { READINESS } from "../picture/resources/client.ts";
import { designationsIn } from "./designations.ts";

/** Words of a question that are looked up, and how many rows are read of each. */
const MOST_WORDS = 4;
const MOST_FOUND = 20;

/** What a question may call a resource: by a word and a number, or else by its longest words. */
function namesFor(question: string): string[] {
  const called = designationsIn(question).flatMap(({ said, number }) => [
    `${said} ${number}`,
    `${said} ${String(number).padStart(2, "0")}`,
  ]);
  if (called.length) return [...new Set(called)];
  const content = new Set(
    words(question)
      .map(({ text }) => text)
      .filter((word) => isContent(word) && !(READINESS as readonly string[]).includes(word)),
  );
  return [...content].sort((one, other) => other.length - one.length).slice(0, MOST_WORDS);
}

/** The resources that a question may be about: all, or of very many those it names and the newest. */
export async function resourceRows<Row extends { id: string }>(
  ask: (action: string, params: object) => Promise<any>,
  question: string,
  { problemSetId, most }: { problemSetId: string; most: number },
): Promise<Row[]> {
  const all = { problemSetId, limit: most };
  const listed: { data: Row[]; meta: { total: number } } = await ask("resources.list", all);
  if (listed.meta.total <= listed.data.length) return listed.data;
  const asked = new Set(words(question).map(({ text }) => text));
  const found: { data: Row[] }[] = await Promise.all([
    ...READINESS.filter((one) => asked.has(one)).map((readiness) => ask("resources.list", { ...all, readiness })),
    ...namesFor(question).map((q) => ask("resources.search", { ...all, limit: MOST_FOUND, q })),
  ]);
  const rows = [...found.flatMap(({ data }) => data), ...listed.data];
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
