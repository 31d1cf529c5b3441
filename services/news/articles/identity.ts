import { sha256 } from "../../../core/ids.ts";

/** Parameters that tell who sent the reader, not what is read. */
const TRACKING = /^(utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|twclid|yclid|igshid|mc_[ce]id|mkt_tok|_hs(enc|mi)|vero_\w+|oly_\w+|ref|ref_src|referrer|cmpid|ncid|sr_share|xtor|at_\w+|ito|smid|share|ocid)$/i;
const INDEX = /\/(index|default)\.(html?|php|aspx?)$/i;

/**
 * One address for one article: lower-case host, no default port, no fragment (but a hashbang is a path), no tracking
 * parameters, the rest in order. Text that is no http address is answered as it is. Applying it twice changes nothing.
 */
export function canonicalUrl(text: string): string {
  if (!URL.canParse(text)) return text.trim();
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return url.href;
  if (!url.hash.startsWith("#!")) url.hash = "";
  url.username = "";
  url.password = "";
  const kept = [...url.searchParams].filter(([name]) => !TRACKING.test(name)).sort(([a, av], [b, bv]) => (a < b ? -1 : a > b ? 1 : av < bv ? -1 : av > bv ? 1 : 0));
  url.search = new URLSearchParams(kept).toString();
  url.pathname = url.pathname.replace(/\/{2,}/g, "/").replace(INDEX, "/");
  if (url.pathname.length > 1 && url.pathname.endsWith("/")) url.pathname = url.pathname.slice(0, -1);
  return url.href;
}

const normalized = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

/** SHA-256 of title and text, blind to case, white space and compatibility forms: tells a changed article from one sent again. */
export const contentHash = ({ title, text }: { title: string; text: string }): string => sha256(`${normalized(title)}\n${normalized(text)}`);

const SHINGLE = 3;

/** FNV-1a, twice over with different bases: 64 bits of a shingle, as two halves. */
function hash64(text: string): [number, number] {
  let high = 0x811c9dc5, low = 0xc9dc5118;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code ^ (low >>> 13), 0x5bd1e995);
  }
  high ^= high >>> 15; low ^= low >>> 15;
  return [Math.imul(high, 0x85ebca6b) >>> 0, Math.imul(low, 0xc2b2ae35) >>> 0];
}

/** Similarity-preserving fingerprint of 64 bits as 16 hex digits (Charikar 2002), over shingles of three words. */
export function simhash(text: string): string {
  const words = normalized(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const weights = new Int32Array(64);
  const shingles = new Set(words.length < SHINGLE ? [words.join(" ")] : words.slice(SHINGLE - 1).map((_, at) => words.slice(at, at + SHINGLE).join(" ")));
  for (const shingle of shingles) {
    const [high, low] = hash64(shingle);
    for (let bit = 0; bit < 32; bit++) {
      weights[bit]! += (high >>> bit) & 1 ? 1 : -1;
      weights[32 + bit]! += (low >>> bit) & 1 ? 1 : -1;
    }
  }
  let high = 0, low = 0;
  for (let bit = 0; bit < 32; bit++) {
    if (weights[bit]! > 0) high |= 1 << bit;
    if (weights[32 + bit]! > 0) low |= 1 << bit;
  }
  return (high >>> 0).toString(16).padStart(8, "0") + (low >>> 0).toString(16).padStart(8, "0");
}

const ones = (value: number): number => {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** In how many of their 64 bits two fingerprints differ. */
export const hammingDistance = (a: string, b: string): number =>
  ones(Number.parseInt(a.slice(0, 8), 16) ^ Number.parseInt(b.slice(0, 8), 16)) + ones(Number.parseInt(a.slice(8), 16) ^ Number.parseInt(b.slice(8), 16));

/** Fingerprints at most this far apart are of one text. */
export const NEAR = 3;

/** Four bands of 16 bits: of two fingerprints at most three bits apart at least one band is equal, so an index on bands finds them (Manku et al. 2007). */
export const bands = (fingerprint: string): string[] => [0, 1, 2, 3].map((band) => `${band}${fingerprint.slice(band * 4, band * 4 + 4)}`);

/** Whether two fingerprints are of the same report. */
export const sameStory = (a: string, b: string): boolean => hammingDistance(a, b) <= NEAR;
