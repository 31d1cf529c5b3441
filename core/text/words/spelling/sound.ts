import { remembering } from "../remembered.ts";
import { fold } from "../words.ts";

/** Letters of other scripts in Latin ones, consonants only. */
const ROMAN: Record<string, string> = Object.fromEntries(
  (
    "б b в v г g д d ж s з s к k л l м m н n п b р r с s т t ф v х k ц s ч s ш s щ s " +
    "ب b ت t ث t ج g ح k خ k د d ذ d ر r ز s س s ش s ص s ض d ط t ظ s غ g ف v ق k ك k ل l م m ن n پ b چ s ژ s گ g " +
    "β v γ g δ d ζ s θ t κ k λ l μ m ν n ξ ks π b ρ r σ s ς s τ t φ v χ k ψ bs " +
    "ב v ג g ד d ז s ח k ט t כ k ך k ל l מ m ם m נ n ן n ס s פ v ף v צ s ץ s ק k ר r ש s ת t"
  )
    .split(" ")
    .reduce<[string, string][]>((pairs, sign, at, all) => (at % 2 ? pairs : [...pairs, [sign, all[at + 1]!]]), []),
);
const LATIN: readonly [RegExp, string][] = [
  [/sch|sh|ch(?=[ei])|cz|ts|z|x(?=$)/g, "s"],
  [/ch|kh|ck|qu|c(?![eiy])|q/g, "k"],
  [/c/g, "s"],
  [/ph|f|w/g, "v"],
  [/gh|j/g, "g"],
  [/p/g, "b"],
  [/x/g, "ks"],
];

/**
 * The consonants of a name, nearly the same in every script and language: "Marenia", "Марении" and "مارينيا" give
 * `mrn`. Empty where fewer than three remain.
 */
export const soundOf = remembering((word) => {
  let latin = "";
  for (const sign of fold(word)) latin += ROMAN[sign] ?? (/[a-z]/.test(sign) ? sign : "");
  for (const [written, spoken] of LATIN) latin = latin.replace(written, spoken);
  const sound = latin.replace(/[aeiouyhw]/g, "").replace(/(.)\1+/g, "$1");
  return sound.length >= 3 ? sound : "";
});
