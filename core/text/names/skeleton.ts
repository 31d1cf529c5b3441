/** What is left of a word where no vowels are written. */
export const consonants = (token: string): string => token.replace(/[aeiouwy]+/g, "").replace(/(.)\1+/g, "$1");

/** How a token sounds, roughly: spellings that transliterations disagree in become one. */
export const skeleton = (token: string): string =>
  token
    .replace(/(?:sch|sh)(?=tsch)/g, "")
    .replace(/tsch|tch|cz/g, "ch")
    .replace(/sch|sz/g, "sh")
    .replace(/ph/g, "f")
    .replace(/zh|dzh|dj|g(?=[ei])/g, "j")
    .replace(/kh|gh|h(?=[^aeiou])|h$/g, (match) => (match === "h" ? "" : match[0]!))
    .replace(/th/g, "t")
    .replace(/ck|q|c(?![ehiy])|kk/g, "k")
    .replace(/c(?=[eiy])/g, "s")
    .replace(/ks/g, "x")
    .replace(/w/g, "v")
    .replace(/ou|oo/g, "u")
    .replace(/ee|ii|y/g, "i")
    .replace(/(?:ij|iy|ii|ei|ai)$/g, "i")
    .replace(/ia$/g, "a")
    .replace(/(.)\1+/g, "$1");
