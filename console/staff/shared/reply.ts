/** A part of a reply as the socket brings it: `offset` counts UTF-16 units from the reply's beginning. */
export interface ReplyPart {
  attempt: number;
  offset: number;
  text: string;
}
/** How far a reply is known here. */
export interface Written {
  attempt: number;
  text: string;
}

/** A reply with one more part; undefined where parts before it are missing: the stored text has to be read. */
export function withPart(known: Written, { attempt, offset, text }: ReplyPart): Written | undefined {
  if (attempt < known.attempt) return known;
  const before = attempt === known.attempt ? known.text : "";
  if (offset > before.length) return undefined;
  // A part that is known already changes nothing.
  return offset + text.length <= before.length ? known : { attempt, text: before.slice(0, offset) + text };
}

/** Of what the history stores and what the socket brought, that which is further on. */
export const furthest = (stored: Written, heard: Written | undefined): Written =>
  heard &&
  (heard.attempt > stored.attempt || (heard.attempt === stored.attempt && heard.text.length > stored.text.length))
    ? heard
    : stored;

export const isOver = (status: string): boolean => ["completed", "stopped", "failed"].includes(status);

/** Markdown in which `[1]` leads to the source of that number below the reply; other numbers stay text. */
export const withCitations = (text: string, id: string, numbers: readonly number[]): string =>
  text.replaceAll(/\[(\d{1,3})\]/g, (all, n: string) =>
    numbers.includes(Number(n)) ? `[\\[${n}\\]](#source-${id}-${n})` : all,
  );

/** What the text says for programs, in words for people: here an act has its card, and a form for its values. */
const FOR_PROGRAMS = [
  [/: POST \/api\/assistant\/[\w-]+\/confirm\./, ", below."],
  [/ \(NOT_CONFIGURED\)/g, ""],
  // Below the answer stands the page where it is done, and the operation of the API for whoever writes a program.
  [/: (?:GET|POST|PUT|PATCH|DELETE) \/api\/\S+\.(?: It needs [^.]*\.)?(?= \[\d)/g, "."],
  [
    /An act is proposed where its arguments come as `input` beside `text`\./,
    "“Have something done” asks for the values.",
  ],
] as const;
export const forPeople = (text: string): string =>
  FOR_PROGRAMS.reduce((said, [words, instead]) => said.replace(words, instead), text);
