import { hash } from "node:crypto";
import { searchedBody, nameTokens, vocabulary } from "../../../core/text/words/analysis.ts";
import type { SearchDocument } from "../../../core/records/reading/search.ts";
import type { Vocabulary } from "../../../core/text/words/vocabulary.ts";
import { BlockWriter, type TermBlock } from "./blocks.ts";
import { emptyColumns, NumberedNames, type Columns } from "./columns.ts";
import { ListWriter } from "./posting-list.ts";
import { TITLE_WEIGHT } from "../ranking.ts";

/**
 * Signs that keep the words of names apart from the tokens of the text: no token holds one. Hidden forms have theirs
 * behind (vocabulary.ts).
 */
export const SOURCE = "@",
  DOMAIN = "#";

/** Where less than one in so many of all known terms is met, they are sorted. */
const SELDOM = 16;

/** A whole number for each event that grows by doubling. */
class Numbers {
  held = new Int32Array(4_096);
  length = 0;
  /** Its memory, with room for so many more. */
  withRoom(more: number): Int32Array {
    if (this.length + more <= this.held.length) return this.held;
    const larger = new Int32Array(Math.max(2 * this.held.length, this.length + more));
    larger.set(this.held);
    return (this.held = larger);
  }
  push(value: number): void {
    this.withRoom(1)[this.length++] = value;
  }
}

/** A set of small numbers that is emptied by counting up. */
class Marks {
  #marks = new Int32Array(0);
  #mark = 0;
  /** Empty, for numbers below `count`. */
  next(count: number): this {
    if (count > this.#marks.length || this.#mark === 0x7fffffff) {
      this.#marks = new Int32Array(Math.max(2 * this.#marks.length, count));
      this.#mark = 0;
    }
    this.#mark++;
    return this;
  }
  has(number: number): boolean {
    return this.#marks[number] === this.#mark;
  }
  add(number: number): void {
    this.#marks[number] = this.#mark;
  }
}
const marks = new Marks();

/**
 * Which field an occurrence is of, and whether of a token or a hidden form: the two lowest bits beside its position.
 */
const IN_BODY = 0,
  IN_TITLE = 1,
  FORM_IN_BODY = 2,
  FORM_IN_TITLE = 3;

/**
 * Documents analysed, on their way to become a segment: their columns and the lists of all their terms. Knows no
 * database.
 */
export class Gathering {
  readonly documents: SearchDocument[] = [];
  readonly #vocabulary: Vocabulary = vocabulary();
  /** For each occurrence, in order: its term's id, and four times its position plus its kind. */
  readonly #terms = new Numbers();
  readonly #sites = new Numbers();
  /** How many occurrences there are up to the end of each document. */
  readonly #ends: number[] = [];
  readonly #lengths: number[] = [];

  add(document: SearchDocument): void {
    const length = TITLE_WEIGHT * this.#text(document.title, IN_TITLE) + this.#text(searchedBody(document), IN_BODY);
    this.#name(document.source, SOURCE);
    this.#name(document.domain, DOMAIN);
    this.documents.push(document);
    this.#lengths.push(length);
    this.#ends.push(this.#terms.length);
  }

  #text(text: string, field: typeof IN_TITLE | typeof IN_BODY): number {
    const vocabulary = this.#vocabulary,
      terms = this.#terms,
      sites = this.#sites;
    const count = vocabulary.analyse(text),
      { found } = vocabulary,
      seen = marks.next(vocabulary.terms.length),
      hidden = field === IN_TITLE ? FORM_IN_TITLE : FORM_IN_BODY;
    const occurring = terms.withRoom(2 * count),
      at = sites.withRoom(2 * count);
    let { length } = terms;
    for (let position = 0; position < count; position++) {
      const form = found[2 * position + 1]!;
      occurring[length] = found[2 * position]!;
      at[length++] = 4 * position + field;
      if (form < 0 || seen.has(form)) continue;
      seen.add(form);
      occurring[length] = form;
      at[length++] = hidden;
    }
    terms.length = sites.length = length;
    return count;
  }

  #name(name: string, sign: string): void {
    nameTokens(name).forEach((token, position) => {
      this.#terms.push(this.#vocabulary.idOf(sign + token));
      this.#sites.push(4 * position + IN_BODY);
    });
  }

  /** The columns without the numbers of the puts, which are each index's own. */
  columns(): Columns {
    const columns = emptyColumns(this.documents.length),
      names = new NumberedNames();
    for (const [at, document] of this.documents.entries()) {
      const { id, publishedAt, confidence, sourceId, reportId, source, domain } = document;
      columns.id[at] = id;
      columns.published[at] = Date.parse(publishedAt);
      columns.confidence[at] = confidence;
      columns.sourceId[at] = sourceId;
      columns.report[at] = numberOf(reportId);
      columns.length[at] = this.#lengths[at]!;
      columns.source[at] = names.place(source);
      columns.domain[at] = names.place(domain);
    }
    return { ...columns, names: names.list };
  }

  /**
   * The lists of all terms, in blocks: begins to write them, and goes on with each step until `isTime`; the last value
   * is all of them.
   */
  *blocks(isTime: () => boolean): Generator<undefined, TermBlock[]> {
    const { terms, starts, occurrences } = this.#byTerm();
    const { spelled, begins } = this.#vocabulary;
    const blocks: TermBlock[] = [],
      list = new ListWriter();
    const writer = new BlockWriter((block) => {
      blocks.push(block);
    });
    for (let number = 0; number < terms.length; number++) {
      const end = starts[number + 1]!,
        term = terms[number]!;
      list.clear();
      for (let at = starts[number]!; at < end;) at = appendDocument(list, occurrences, at, end);
      writer.add(spelled, begins[term]!, begins[term + 1]!, list);
      if (isTime()) yield;
    }
    writer.end();
    return blocks;
  }

  /** The ids of terms in ascending order of terms: those that are met, of which `counts` is above zero. */
  #ordered(met: Int32Array, counts: Int32Array): Int32Array {
    const vocabulary = this.#vocabulary,
      ranks = vocabulary.ranks();
    const terms = new Int32Array(met.length);
    // To go through all that are known costs less than to sort, where many of them are met.
    if (met.length * SELDOM > ranks.length)
      for (let rank = 0, to = 0; to < terms.length; rank++) {
        const term = vocabulary.ranked(rank);
        if (counts[term]! > 0) terms[to++] = term;
      }
    else {
      for (let at = 0; at < met.length; at++) terms[at] = ranks[met[at]!]!;
      terms.sort();
      for (let at = 0; at < terms.length; at++) terms[at] = vocabulary.ranked(terms[at]!);
    }
    return terms;
  }

  /**
   * The ids of all terms in ascending order of terms; and the occurrences, each term's in the order of documents and
   * positions (a counting sort): of each its document and its site, side by side.
   */
  #byTerm(): { terms: Int32Array; starts: Int32Array; occurrences: Int32Array } {
    const { held: occurring, length: count } = this.#terms,
      sites = this.#sites.held;
    const next = new Int32Array(this.#vocabulary.terms.length),
      met = new Numbers();
    for (let at = 0; at < count; at++) if (next[occurring[at]!]!++ === 0) met.push(occurring[at]!);
    const terms = this.#ordered(met.held.subarray(0, met.length), next),
      starts = new Int32Array(terms.length + 1);
    for (let number = 0, from = 0; number < terms.length; number++) {
      const term = terms[number]!;
      from += next[term]!;
      starts[number + 1] = from;
      next[term] = starts[number]!;
    }
    const occurrences = new Int32Array(2 * count);
    for (let at = 0, document = 0; at < count; at++) {
      while (at >= this.#ends[document]!) document++;
      const to = 2 * next[occurring[at]!]!++;
      occurrences[to] = document;
      occurrences[to + 1] = sites[at]!;
    }
    return { terms, starts, occurrences };
  }
}

/** A name as a whole number of 48 bits. */
const numberOf = (name: string): number => hash("sha256", name, "buffer").readUIntBE(0, 6);

/** Appends one document's occurrences of a term, from `from` on; answers where the next document's begin. */
function appendDocument(list: ListWriter, occurrences: Int32Array, from: number, end: number): number {
  const document = occurrences[2 * from]!;
  let to = from,
    inTitle = 0;
  for (; to < end && occurrences[2 * to] === document; to++) inTitle += occurrences[2 * to + 1]! & 1;
  list.document(document, inTitle, to - from - inTitle);
  for (let at = from, before = 0, kind = -1; at < to; at++) {
    const site = occurrences[2 * at + 1]!;
    if ((site & 3) >= FORM_IN_BODY) continue;
    if ((site & 3) !== kind) before = 0;
    kind = site & 3;
    list.positions.number((site >> 2) - before);
    before = site >> 2;
  }
  return to;
}
