import { published, type PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import type { MeshService } from "../../../core/contract/endpoint.ts";
import { terms } from "../../../core/text/words/terms.ts";
import { nearnessOf, placeOf } from "../../../core/text/words/vectors.ts";
import { words } from "../../../core/text/words/words.ts";
import { inTurns, type Steps } from "../../../core/work/turns.ts";
import { favour, isAct, wantedIn } from "./wanting.ts";
import { wordings } from "./wordings.ts";

/** Verbs by which people name operations of each method, beside the operation's own words. */
const CALLED = {
  GET: "list show read see find get",
  POST: "add create make new",
  PUT: "change set replace",
  PATCH: "change edit update set",
  DELETE: "delete remove",
} as const;
/** The same among its words: not "read", which is also what is read ("readings"); data is also sent. */
const NAMED = { ...CALLED, GET: "list show see find get", POST: `${CALLED.POST} send submit` } as const;
const METHOD = 0.5;

export const beginning = (text: string): string | undefined => words(text)[0]?.text.toLowerCase();

/** "Log in", "sign-out": a word for each, so that it is not what else logs and signs are. */
const SESSION = /\b(?:log|sign)(?:g?ing|g?ed|s)?[- ]?(in|on|out|off)\b/gi;
/** "Who is in it": a question about people, though its word carries grammar alone elsewhere. */
const PEOPLE = /\bwho(?:m|se)?\b/gi;
const termsIn = (text: string): string[] =>
  terms(
    text.replace(SESSION, (_all, way: string) => (/^[io]n$/i.test(way) ? "login" : "logout")).replace(PEOPLE, "people"),
  );

interface Described {
  endpoint: PublishedEndpoint;
  /** Its summary and wordings, each by its terms. */
  phrases: readonly ReadonlySet<string>[];
  /** How often it has each term. */
  counts: ReadonlyMap<string, number>;
  length: number;
  /** By which people request it. */
  verbs: readonly string[];
}

function describe(endpoint: PublishedEndpoint): Described {
  const counts = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number): void => {
    for (const term of termsIn(text)) {
      counts.set(term, (counts.get(term) ?? 0) + weight);
      length += weight;
    }
  };
  const phrases: ReadonlySet<string>[] = [];
  const addPhrase = (text: string): void => {
    const own = termsIn(text);
    phrases.push(new Set(own));
    for (const term of own) counts.set(term, (counts.get(term) ?? 0) + 1);
    length += own.length;
  };
  const { method, path, contract } = endpoint;
  addPhrase(contract.summary);
  add(path.replace(/:\w+/g, "").replace(/[/-]+/g, " "), 1);
  if (!isAct(endpoint)) add(NAMED[method], METHOD);
  for (const wording of wordings().get(`${method} ${path}`) ?? []) addPhrase(wording);
  const verbs = [beginning(contract.summary.split(" ", 1)[0]!) ?? "", ...CALLED[method].split(" ")];
  return { endpoint, phrases, counts, length, verbs };
}

/** BM25 (Robertson and Zaragoza 2009). */
const K1 = 1.2,
  B = 0.6;
/** Terms that are so near in meaning count for each other, by that nearness squared. */
const NEAR = 0.5,
  SOFT = 0.7;

export interface Match {
  endpoint: PublishedEndpoint;
  /** The share of the question's terms that it has, weighted by what they tell; more than 1 where it has them often. */
  score: number;
  /** How many of the question's terms are among its words. */
  shared: number;
}

/** The operations of a mesh, by what they are called and in which words people ask for them. */
export class Operations {
  readonly #all: Described[] = [];
  readonly #holding = new Map<string, number[]>();
  /** Each term with the place of its vector, where it has one. */
  readonly #places: (readonly [term: string, place: number])[] = [];
  #length = 0;

  static *of(services: readonly MeshService[]): Steps<Operations> {
    const operations = new Operations();
    for (const service of services)
      for (const endpoint of published(service)) {
        operations.#add(describe(endpoint));
        yield;
      }
    return operations;
  }

  #add(one: Described): void {
    const at = this.#all.push(one) - 1;
    this.#length += one.length;
    for (const term of one.counts.keys()) {
      const holding = this.#holding.get(term);
      if (holding) {
        holding.push(at);
        continue;
      }
      this.#holding.set(term, [at]);
      const place = placeOf(term);
      if (place >= 0) this.#places.push([term, place]);
    }
  }

  get #mean(): number {
    return this.#length / Math.max(1, this.#all.length);
  }

  /** Whether people request operations by a verb, and none that only reads: "show" asks for facts. */
  isOrder(verb: string): boolean {
    const named = this.#all.filter(({ verbs }) => verbs.includes(verb));
    return named.length > 0 && named.every(({ endpoint }) => endpoint.method !== "GET");
  }

  /** What a term tells; one that no operation has tells as much as one that a single one has. */
  #weightOf(term: string): number {
    const holding = this.#holding.get(term)?.length ?? 1;
    return Math.log(1 + (this.#all.length - holding + 0.5) / (holding + 0.5));
  }

  /** How well each operation has a term, or one near to it in meaning. */
  #found(term: string): Map<number, number> {
    const best = new Map<number, number>();
    const of = (held: string, share: number): void => {
      for (const at of this.#holding.get(held) ?? []) {
        const { counts, length } = this.#all[at]!;
        const count = counts.get(held)!;
        const saturated = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / this.#mean));
        best.set(at, Math.max(best.get(at) ?? 0, share * this.#weightOf(held) * saturated));
      }
    };
    of(term, 1);
    const place = placeOf(term);
    if (place >= 0)
      for (const [held, other] of this.#places) {
        const near = held === term ? 0 : nearnessOf(place, other);
        if (near > NEAR) of(held, SOFT * near ** 2);
      }
    return best;
  }

  /** How much of a question the phrase of an operation that is nearest has, and the question of it: 0..1. */
  #likeness(asked: readonly string[], whole: number, { phrases }: Described): number {
    let best = 0;
    for (const phrase of phrases) {
      let [shared, own] = [0, 0];
      for (const term of asked) if (phrase.has(term)) shared += this.#weightOf(term);
      if (!shared) continue;
      for (const term of phrase) own += this.#weightOf(term);
      best = Math.max(best, (2 * shared) / (whole + own));
    }
    return best;
  }

  /**
   * The operations that fit a question, the best first: those that a verb names where one is given, those that only read
   * where facts are asked for.
   */
  find(question: string, { verb, isReading = false }: { verb?: string; isReading?: boolean } = {}): Match[] {
    const asked = [...new Set(termsIn(question))];
    const wanted = wantedIn(question);
    // In a few words it is said what is to be done; in many the situation, whose words have nothing to do with it.
    const plain = Math.min(1, (PLAIN / asked.length) ** 2);
    const scores = new Map<number, number>();
    for (const term of asked)
      for (const [at, score] of this.#found(term)) scores.set(at, (scores.get(at) ?? 0) + score);
    const whole = asked.reduce((sum, term) => sum + this.#weightOf(term), 0);
    return [...scores]
      .map(([at, score]) => {
        const one = this.#all[at]!;
        const likeness = LIKE * plain * this.#likeness(asked, whole, one);
        return { one, score: (score / whole + likeness) * favour(one.endpoint, wanted) ** plain };
      })
      .filter(
        ({ one: { verbs, endpoint } }) =>
          (verb === undefined || verbs.includes(verb)) && (!isReading || endpoint.method === "GET"),
      )
      .sort((one, other) => other.score - one.score || one.one.endpoint.path.length - other.one.endpoint.path.length)
      .slice(0, MOST)
      .map(({ one: { endpoint, counts }, score }) => ({
        endpoint,
        score,
        shared: asked.filter((term) => counts.has(term)).length / asked.length,
      }));
  }
}
const MOST = 3,
  LIKE = 0.6,
  PLAIN = 3;

const known = new WeakMap<readonly MeshService[], Promise<Operations>>();

/** The operations of these services: their words are read once, in turns of the event loop. */
export function operationsIn(services: readonly MeshService[]): Promise<Operations> {
  let found = known.get(services);
  if (!found) known.set(services, (found = inTurns(Operations.of(services), {})));
  return found;
}
