import { compareDates, type Agreement, type DateMention } from "../../../../core/text/statements/dates.ts";
import { compareFigures, measuresOf, type Figures } from "../../../../core/text/statements/measures.ts";
import { wholeOf, type Statement } from "../../../../core/text/statements/statement.ts";
import { alignment, compareNames, type Alignment, type Names } from "./alignment.ts";
import { opposed, type Opposition } from "./opposition.ts";
import type { Idf, StanceOptions } from "./stance.ts";

const EVEN: Idf = () => 1;

/** What a claim and a sentence have in common and where they differ: the ground of every verdict on them. */
export interface Bearing {
  /** Shares of the claim's content, 0..1. */
  shared: Alignment;
  /** The same of the sentence's content: the longer of two says more. */
  reverse: Alignment;
  /** Shared concepts that tell something. */
  telling: number;
  names: Names;
  when: Agreement;
  figures: Figures;
  opposition: Opposition;
}

/** How a sentence bears on a claim, before any verdict. */
export const bearing = (claim: Statement, candidate: Statement, options: StanceOptions = {}): Bearing =>
  new Bears(claim, candidate, options);

/** Most sentences have too little in common with a claim for more than that to be asked for: it is looked for then. */
class Bears implements Bearing {
  readonly shared: Alignment;
  readonly telling: number;
  readonly #claim: Statement;
  readonly #candidate: Statement;
  readonly #options: StanceOptions;
  #reverse: Alignment | undefined;
  #names: Names | undefined;
  #when: Agreement | undefined;
  #figures: Figures | undefined;
  #opposition: Opposition | undefined;

  constructor(claim: Statement, candidate: Statement, options: StanceOptions) {
    this.#claim = claim;
    this.#candidate = candidate;
    this.#options = options;
    this.shared = alignment(claim.senses, wholeOf(candidate).senses, options.idf ?? EVEN);
    this.telling = tellingOf(this.shared);
  }

  get reverse(): Alignment {
    return (this.#reverse ??= alignment(
      this.#candidate.senses,
      wholeOf(this.#claim).senses,
      this.#options.idf ?? EVEN,
    ));
  }

  get names(): Names {
    const { context = [] } = this.#options;
    return (this.#names ??= compareNames(this.#claim.entities, wholeOf(this.#candidate).entities, [
      ...(typeof context === "function" ? context() : context),
      ...speakersOf(this.#candidate),
    ]));
  }

  get when(): Agreement {
    return (this.#when ??= compareDates(happened(this.#claim), happened(this.#candidate)));
  }

  get figures(): Figures {
    const isOfOneEvent = this.#options.event === "same";
    return (this.#figures ??= compareFigures(measuresOf(this.#claim), measuresOf(this.#candidate), isOfOneEvent));
  }

  get opposition(): Opposition {
    return (this.#opposition ??= opposed(this.#claim, this.#candidate, this.shared));
  }
}

/** Names of whoever tells it, and where. */
const speakersOf = (matter: Statement): string[] =>
  wholeOf(matter).entities.flatMap((name) => (matter.entities.includes(name) ? [] : [name.key]));

/** Shared concepts that tell something. */
export const tellingOf = ({ pairs }: Alignment): number => pairs.filter(({ claim }) => claim.weight >= 1).length;

/** "The ministry said on Sunday": when it was told, and not when it happened. */
const TOLD =
  /\b(?:said|says|told \w+(?: \w+)?|added|announced|reported|wrote|confirmed|denied)(?: late| early)?(?: on| in)?\s*$/i;
const happened = ({ text, start, dates }: Statement): readonly DateMention[] =>
  dates.length === 0
    ? dates
    : dates.filter((one) => one.weekday === undefined || !TOLD.test(text.slice(0, one.start - start)));
