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

/** Markdown in which `[1]` leads to the source of that number below the reply. */
export function withCitations(text: string, id: string, numbers: readonly number[]): string {
  // Two in a row would be read as one link by Markdown.
  const apart = text.replaceAll("][", "] [");
  return [apart, "", ...numbers.map((n) => `[${n}]: #source-${id}-${n}`)].join("\n");
}

/** How to confirm an act over the API is of no use here: the act stands below, with its buttons. */
export const withoutAddress = (text: string): string =>
  text.replace(/: POST \/api\/assistant\/[\w-]+\/confirm\./, ", below.");
