import { closest, extracted } from "../../../services/staff/quoting/extracting.ts";
import { passagesOf, type NumberedPassage } from "../../../services/staff/passages.ts";
import { made } from "../../../test/workspace/desk.ts";
import { eventually, world, type TestWorld } from "../../../test/mesh.ts";
import { put } from "../../../test/knowledge/documents.requests.ts";
import { openSet, person, type Person } from "../../../test/workspace/people.ts";
import type { Labelled } from "./sets.ts";

export interface Quoted {
  text: string;
  /** The records it is cited from. */
  ids: readonly string[];
}
export interface Answered {
  /** What is quoted as an answer. */
  quotes: readonly Quoted[];
  /** What is quoted where it is said that nothing answers. */
  closest: readonly Quoted[];
  text: string;
}
export type Answers = (question: string) => Promise<Answered>;

/** How it is said that nothing answers. */
const NOTHING = /^Nothing that you may read /;
const told = (text: string, recordOf: (n: number) => string | undefined): Answered => {
  const quotes = quotesIn(text, recordOf);
  return NOTHING.test(text) ? { text, quotes: [], closest: quotes } : { text, quotes, closest: [] };
};

const CITED = /(?:\s*\[\d{1,3}\])+$/;
const NUMBER = /\[(\d{1,3})\]/g;

/** The lines of an answer that quote a record. */
const quotesIn = (text: string, recordOf: (n: number) => string | undefined): Quoted[] =>
  text.split("\n").flatMap((line) => {
    const cited = CITED.exec(line)?.[0];
    if (!cited) return [];
    const ids = [...cited.matchAll(NUMBER)].map(([, n]) => recordOf(Number(n))).filter((id) => id !== undefined);
    return ids.length ? [{ text: line.slice(0, -cited.length), ids }] : [];
  });

/** Asked of the function alone, over all records. */
export function ofFunction({ records }: Labelled): Answers {
  const passages = records.flatMap(({ id, text }) =>
    passagesOf(text).map((passage) => ({ id, text: passage.text, start: passage.start })),
  );
  const sources = passages.map(({ id, text, start }, at): NumberedPassage => ({
    ...{ n: at + 1, type: "document", id, title: "", href: `/api/documents/${id}` },
    ...{ text, start, compartments: [] },
  }));
  return (question) => {
    const text = extracted(question, sources) || closest(question, sources);
    return Promise.resolve(told(text, (n) => passages[n - 1]?.id));
  };
}

/** Asked of the assistant: the records lie in a problem set of their own, as documents, missions and gates. */
export async function ofProduct<T>(set: Labelled, ask: (answers: Answers) => Promise<T>): Promise<T> {
  const at = await world();
  try {
    const who = await person(at, "asker");
    const problemSetId = await openSet(at, who, { name: "Records" });
    const known = await kept(at, who, problemSetId, set);
    return await ask(async (question) => {
      const chat = `/api/assistant/${problemSetId}`;
      const { messageId } = await made(at, "POST", `${chat}/message`, { text: question }, who);
      const [{ text, citations }] = await eventually(
        () => made(at, "GET", `${chat}/history?limit=1`, undefined, who),
        ([newest]: any[]) => newest.id === messageId && !["queued", "answering"].includes(newest.status),
      );
      const records = new Map<number, string | undefined>(citations.map((one: any) => [one.n, known.get(one.id)]));
      return told(text, (n) => records.get(n));
    });
  } finally {
    await at.stop();
  }
}

/** Keeps the records in turn as a document, a mission, a document, a gate; answers which record each is. */
async function kept(
  at: TestWorld,
  who: Person,
  problemSetId: string,
  { records }: Labelled,
): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (const [n, { id, text }] of records.entries()) {
    const name = `Entry ${n + 1}`;
    const own =
      n % 2 === 0
        ? await put(at, who, text, `${name}.txt`, { problemSetId, title: name })
        : n % 4 === 1
          ? await made(at, "POST", "/api/missions", { problemSetId, name, description: text }, who)
          : await made(at, "POST", "/api/gates", { problemSetId, tab: "log", name, description: text }, who);
    known.set(own.id, id);
  }
  return known;
}
