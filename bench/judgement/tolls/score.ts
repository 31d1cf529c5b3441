import { isBackground } from "../../../services/news/briefings/figures/series.ts";
import { figuresTold } from "../../../services/news/briefings/figures/tolls.ts";
import { rowsIn } from "../halves.ts";

/** What befalls people in the news, as `figuresTold` names it. */
const SUBJECTS = new Set([
  "deaths",
  "injuries",
  "cases",
  "people missing",
  "people displaced",
  "arrests",
  "people rescued",
]);
/**
 * Who wrote the sentences: `house` beside the rules; of `first` all and of `second` every other was read while they were
 * made; `third` was written when they stood, and nobody read it.
 */
const AUTHORS = ["house", "first", "second", "third"] as const;
const UNREAD = "third";

const stated = (text: string): Set<string> =>
  new Set(
    (isBackground(text) ? [] : figuresTold(text))
      .filter(({ subject, exact, high }) => SUBJECTS.has(subject) && (exact || high === Infinity))
      .map(({ subject, value }) => `${subject}=${value}`),
  );

const items = rowsIn(new URL("items.tsv", import.meta.url)).map(({ author, states, text }) => ({
  author: author!,
  text: text!,
  there: states ? states.split(";") : [],
}));

/** How far tolls of one author's sentences are read: those found, those right, and traps that were taken for tolls. */
export function tollsScore(author: string): {
  found: number;
  there: number;
  right: number;
  read: number;
  traps: string;
} {
  let [found, there, read, fallen, traps] = [0, 0, 0, 0, 0];
  for (const item of items.filter((one) => one.author === author)) {
    const told = stated(item.text);
    const hits = item.there.filter((toll) => told.has(toll)).length;
    found += hits;
    there += item.there.length;
    read += told.size;
    if (item.there.length === 0) {
      traps += 1;
      if (told.size > 0) fallen += 1;
    }
    if (process.env["SHOW"] && author !== UNREAD && (hits < item.there.length || hits < told.size))
      console.error(`${[...told].join(";") || "none"}, should be ${item.there.join(";") || "none"}: ${item.text}`);
  }
  return { found, there, right: found, read, traps: `${fallen} of ${traps}` };
}

/** `node bench/judgement/tolls/score.ts`; with SHOW=1 each miss is told, but for those of `third`. */
if (process.argv[1] === import.meta.filename)
  for (const author of AUTHORS) {
    const { found, there, right, read, traps } = tollsScore(author);
    console.log(`${author}: found ${found} of ${there}, right ${right} of ${read}, no tolls taken for one ${traps}`);
  }
