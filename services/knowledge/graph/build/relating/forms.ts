import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };

/** How a verb stands there. */
export type VerbForm = "plain" | "past" | "going";

const IRREGULAR = new Map(Object.entries(phrases.irregular));
const VOWEL = /[aeiou]/;

function regular(verb: string): string[] {
  if (verb.endsWith("e")) return [`${verb}d`];
  if (verb.endsWith("y") && !VOWEL.test(verb.at(-2)!)) return [`${verb.slice(0, -1)}ied`];
  return [`${verb}ed`];
}

function third(verb: string): string {
  if (verb === "have") return "has";
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return verb.endsWith("y") && !VOWEL.test(verb.at(-2)!) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

function going(verb: string): string {
  const past = IRREGULAR.get(verb)?.[0] ?? "";
  // "banned": its last letter is doubled here too; so it is in "running", "hitting".
  const isDoubled =
    past === `${verb}${verb.at(-1)}ed` || /^(?:run|hit|put|set|sit|win|begin|stop|overrun|quit)$/.test(verb);
  if (verb.endsWith("ie")) return `${verb.slice(0, -2)}ying`;
  if (verb.endsWith("e") && verb !== "be" && !verb.endsWith("ee")) return `${verb.slice(0, -1)}ing`;
  return `${verb}${isDoubled ? verb.at(-1) : ""}ing`;
}

/** "break into": all that it may be in a sentence. */
export function formsOf(phrase: string): [written: string, form: VerbForm][] {
  const at = phrase.indexOf(" ");
  const [verb, rest] = at < 0 ? [phrase, ""] : [phrase.slice(0, at), phrase.slice(at)];
  if (verb === "be") return ["is", "are", "was", "were", "been", "being", "be"].map((one) => [one + rest, "plain"]);
  const past = IRREGULAR.get(verb) ?? regular(verb);
  return [
    [verb + rest, "plain"],
    [third(verb) + rest, "plain"],
    [going(verb) + rest, "going"],
    ...past.filter((one) => one !== verb).map((one): [string, VerbForm] => [one + rest, "past"]),
  ];
}
