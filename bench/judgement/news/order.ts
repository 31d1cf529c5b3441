import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Tiers of events by set, as `order.txt` tells them. */
const tiers = (): string[][] =>
  readFileSync(join(import.meta.dirname, "order.txt"), "utf8")
    .split("\n\n")
    .map((block) => block.split("\n").filter((line) => line.includes("-") && !line.startsWith("#")));

/** Pairs of events of which one belongs before the other. */
export const orderedPairs = (): [first: string, second: string][] =>
  tiers().flatMap((lines) => {
    const events = lines.map((line) => line.split(" "));
    return events.flatMap((tier, at) =>
      tier.flatMap((first) =>
        events.slice(at + 1).flatMap((rest) => rest.map((second): [string, string] => [first, second])),
      ),
    );
  });

/** The events of the first two tiers: what belongs among the first. */
export const leadingEvents = (): Set<string> =>
  new Set(tiers().flatMap((lines) => lines.slice(0, 2).flatMap((line) => line.split(" "))));
