import type { EntityType } from "../../statements/vocabulary.ts";
import { signsAround } from "./around.ts";
import { signsOfName } from "./in-name.ts";
import { lastWord, type Placed, type Sign } from "./signs.ts";

const PARTICLES = new Set(["van", "von", "de", "der", "bin", "al", "el"]);
const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word) && !/\d/.test(word);

/** Two to four capitalised words that nothing else explains are a person's name more often than not. */
function fallbackOf({ text, before }: Placed): Sign[] {
  const parts = text.split(" ");
  // "the Red Cross": no person.
  if (parts.length > 1 && lastWord(before) === "the") return [{ type: "organisation", weight: 0.8, reason: "form" }];
  const isName =
    parts.length >= 2 && parts.length <= 4 && parts.every((word) => isCapital(word) || PARTICLES.has(word));
  return isName && parts.some((word) => /^\p{Lu}\p{Ll}/u.test(word))
    ? [{ type: "person", weight: 0.8, reason: "form" }]
    : [];
}

/** All that speaks for a type of a name there. */
export function signsOf(placed: Placed): Sign[] {
  const own = signsOfName(placed);
  const around = signsAround(placed);
  return own.length ? [...own, ...around] : [...fallbackOf(placed), ...around];
}

export interface Typed {
  type: EntityType;
  confidence: number;
  reason: string;
}

/** What it is, after all that speaks for it; `other` where next to nothing does. */
export function typeBy(signs: readonly Sign[]): Typed {
  const weights = new Map<EntityType, number>();
  // What a name says it says once, however often it stands there.
  const once = new Map<string, { sign: Sign; times: number }>();
  for (const sign of signs) {
    const key = `${sign.type} ${sign.reason}`;
    const known = once.get(key);
    if (known) known.times += 1;
    else once.set(key, { sign, times: 1 });
  }
  for (const { sign, times } of once.values())
    weights.set(sign.type, (weights.get(sign.type) ?? 0) + sign.weight * (1 + Math.log2(Math.min(times, 8)) / 3));
  const [first, second] = [...weights].sort(([one, left], [other, right]) => right - left || (one < other ? -1 : 1));
  if (!first || first[1] < 0.6) return { type: "other", confidence: 0.3, reason: "nothing tells" };
  const [type, weight] = first;
  const share = weight / (weight + (second?.[1] ?? 0) + 0.5);
  const heaviest = [...once.values()]
    .filter(({ sign }) => sign.type === type)
    .sort((one, other) => other.sign.weight - one.sign.weight || (one.sign.reason < other.sign.reason ? -1 : 1))[0]!;
  return { type, confidence: Math.round(Math.min(0.97, share) * 100) / 100, reason: heaviest.sign.reason };
}
