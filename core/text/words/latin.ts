import { fold } from "./words.ts";

/** How letters of alphabets with vowels are written in Latin ones: Cyrillic (BGN/PCGN, without apostrophes) and Greek. */
const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "а a б b в v г g ґ g д d е e є ye ж zh з z и i і i ї yi й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch " +
    "ш sh щ shch ъ _ ы y ь _ э e ю yu я ya ѓ g ќ k ђ dj ћ c љ lj њ nj џ dz ј j ѕ dz ў u " +
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o"
  )
    .split(" ")
    .reduce<[string, string][]>(
      (pairs, sign, at, all) => (at % 2 ? pairs : [...pairs, [sign, all[at + 1]!.replace("_", "")]]),
      [],
    ),
);

/**
 * A folded word in Latin letters, as far as its alphabet writes vowels: "петров" is "petrov". Null for a word that is
 * Latin, or has letters of other scripts.
 */
export function latinOf(word: string): string | null {
  if (/^[\x20-\x7f]*$/.test(word)) return null;
  let latin = "";
  for (const sign of fold(word)) {
    const written = LETTERS[sign] ?? (/[a-z0-9'-]/.test(sign) ? sign : null);
    if (written === null) return null;
    latin += written;
  }
  return latin || null;
}
