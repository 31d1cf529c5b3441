import type { ListRow } from "../../api/client.ts";

export type ReportShown = ListRow<"GET /cop/reports">;

/** Whose it is, as the second part of a type of Cursor on Target says. */
const WHOSE: readonly (readonly [letter: string, words: string])[] = [
  ["f", "our own"],
  ["h", "hostile"],
  ["n", "neutral"],
  ["u", "unknown"],
];
/** Where it moves, as the third part says. */
const GROUNDS: readonly (readonly [letter: string, words: string])[] = [
  ["G", "on the ground"],
  ["A", "in the air"],
  ["S", "at sea"],
  ["U", "under water"],
];
/** Types that a person chooses from; others come from other systems. */
export const TYPE_CHOICES: readonly (readonly [type: string, words: string])[] = WHOSE.flatMap(([whose, one]) =>
  GROUNDS.map(([ground, other]) => [`a-${whose}-${ground}`, `${one}, ${other}`] as const),
);

/** "hostile, on the ground" for `a-h-G-U-C`; what a map point or a drawing is called otherwise. */
export function typeWords(type: string): string {
  const [kind, whose, ground] = type.split("-");
  if (kind === "b") return "a point on the map";
  if (kind === "u") return "a drawing";
  const words = [WHOSE.find(([one]) => one === whose)?.[1], GROUNDS.find(([one]) => one === ground)?.[1]];
  return words.filter(Boolean).join(", ") || "unknown";
}

/** What is sent to take a report away: its next one brings it back. */
export const removalOf = ({ uid }: Pick<ReportShown, "uid">, now = Date.now()) => ({
  uid: `removal of ${uid}`.slice(0, 200),
  type: "t-x-d-d",
  removes: uid,
  time: new Date(now).toISOString(),
  stale: new Date(now + 60_000).toISOString(),
});
