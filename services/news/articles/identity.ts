import { sha256 } from "../../../core/ids.ts";

/** Parameters that tell who sent the reader, or in which dress the page is to come; not what is read. */
const TRACKING = /^(utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|twclid|yclid|igshid|mc_[ce]id|mkt_tok|_hs(enc|mi)|vero_\w+|oly_\w+|ref|ref_src|referrer|cmpid|ncid|sr_share|xtor|at_\w+|ito|smid|share|ocid|amp|outputtype)$/i;
/** What may end a path without meaning another page: an index file, the AMP edition, a slash. */
const ENDINGS = /(?:\/(?:index|default)\.(?:html?|php|aspx?)|\/amp|\/)$/i;
/** Copies of pages that an AMP cache or a search engine serves under an address that holds the original's. */
const CACHED = [/^https?:\/\/[^/]+\.cdn\.ampproject\.org\/[cvi]\/(s\/)?(.+)$/i, /^https?:\/\/(?:www\.)?google\.[a-z.]{2,6}\/amp\/(s\/)?(.+)$/i];

/** Editions for phones live under a prefix of their own; it goes where a site's name is left, so m.example.org but not m.me. */
const siteOf = (host: string): string => {
  const site = host.replace(/^(?:www|m|mobile|amp)\.(?=[^.]+\.[^.])/, "").replace(/^([a-z-]{2,12})\.m\.(?=[^.]+\.[^.])/, "$1.");
  return site === host ? host : siteOf(site);
};

const pathOf = (path: string): string => {
  const shorter = path.replace(/\/{2,}/g, "/").replace(ENDINGS, "").replace(/\.amp(\.html?)$/i, "$1");
  return shorter === path ? path : pathOf(shorter);
};

const originalOf = (href: string): string => {
  const found = CACHED.map((cached) => cached.exec(href)).find((match) => match !== null);
  return found && URL.canParse(`https://${found[2]}`) ? originalOf(`https://${found[2]}`) : href;
};

/**
 * One name for one article, whatever road led to it: no matter of http or https, www or phone, AMP, default port, user,
 * fragment (but a hashbang is a path), tracking parameters, order of the others, index file or final slash. It is for comparing;
 * the article's own address is for reading. Text that is no web address is answered as it is. Applying it twice changes nothing.
 */
export function canonicalUrl(text: string): string {
  if (!URL.canParse(text)) return text.trim();
  const given = new URL(text);
  if (given.protocol !== "http:" && given.protocol !== "https:") return given.href;
  const url = new URL(originalOf(given.href));
  if (url.port === "") url.protocol = "https:";
  if (!url.hash.startsWith("#!")) url.hash = "";
  url.username = "";
  url.password = "";
  url.hostname = siteOf(url.hostname.replace(/\.$/, ""));
  const kept = [...url.searchParams].filter(([name]) => !TRACKING.test(name)).sort(([a, av], [b, bv]) => (a < b ? -1 : a > b ? 1 : av < bv ? -1 : av > bv ? 1 : 0));
  url.search = new URLSearchParams(kept).toString();
  url.pathname = pathOf(url.pathname);
  // What was tidied up may show itself to be a copy only now.
  return originalOf(url.href) === url.href ? url.href : canonicalUrl(url.href);
}

/** White space that is not one single blank; NFKC makes blanks of all other kinds. */
const IRREGULAR = ["  ", "\n", "\t", "\r", "\v", "\f", "\u1680", "\u2028", "\u2029", "\ufeff"];

/** Case, compatibility forms and white space set aside; to look for irregular space is several times cheaper than to replace every blank. */
function normalized(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().trim();
  return IRREGULAR.some((space) => folded.includes(space)) ? folded.replace(/\s+/g, " ") : folded;
}

interface Wording { title: string; text: string }
/** Title and text as they are compared: normalised once for all that is made from them. */
export type Normalized = Readonly<Wording> & { readonly normalized: true };
export const normalizedWording = ({ title, text }: Wording): Normalized => ({ title: normalized(title), text: normalized(text), normalized: true });
const comparable = (given: Wording | Normalized): Normalized => ("normalized" in given ? given : normalizedWording(given));

/** SHA-256 of title and text, blind to case, white space and compatibility forms: tells a changed article from one sent again. */
export function contentHash(given: Wording | Normalized): string {
  const { title, text } = comparable(given);
  return sha256(`${title}\n${text}`);
}

/** A number with its decimals, a sign of a script that sets no blanks between words, or a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const TOKEN = /\p{N}+(?:[.,:]\p{N}+)*|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}]+/gu;
const tokensOf = (normal: string): string[] => normal.match(TOKEN) ?? [];

/** Spreads every bit of the input over all of the output (the finalizer of MurmurHash3, Appleby, public domain). */
function mixed(value: number): number {
  let mix = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

const FNV_BEGIN = 0x811c9dc5, FNV_PRIME = 0x01000193;

/** FNV-1a, 32 bits, over UTF-16 units. */
function hashOf(token: string): number {
  let hash = FNV_BEGIN;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), FNV_PRIME);
  return mixed(hash);
}

/** What a code unit may be in a token, as bits; of surrogates nothing is known without their other half. */
const LETTER = 1, NUMERAL = 2, SIGN = 4, SURROGATE = 8;
function kindOf(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return SURROGATE;
  const char = String.fromCharCode(unit);
  return (/[\p{L}\p{M}]/u.test(char) ? LETTER : 0) | (/\p{N}/u.test(char) ? NUMERAL : 0) | (UNSPACED.test(char) ? SIGN : 0);
}
const UNKNOWN = 255;
/** Kinds of the basic plane, filled in as units are met. */
const kinds = new Uint8Array(0x10000).fill(UNKNOWN);
const learned = (unit: number): number => (kinds[unit] = kindOf(unit));
function kindAt(text: string, at: number): number {
  if (at >= text.length) return 0;
  const unit = text.charCodeAt(at), kind = kinds[unit]!;
  return kind === UNKNOWN ? learned(unit) : kind;
}
const isDecimalMark = (unit: number): boolean => unit === 46 || unit === 44 || unit === 58;

/** As `tokensOf` and `hashOf` of each token, without making the tokens; undefined where a surrogate stands in the text. */
function hashesOf(normal: string): Int32Array | undefined {
  const hashes = new Int32Array((normal.length >> 1) + 1);
  let count = 0;
  for (let at = 0; at < normal.length;) {
    let kind = kindAt(normal, at);
    if (kind === 0) { at++; continue; }
    if (kind === SURROGATE) return undefined;
    let hash = FNV_BEGIN | 0;
    if (kind & NUMERAL) {
      for (; kind & NUMERAL || (isDecimalMark(normal.charCodeAt(at)) && kindAt(normal, at + 1) & NUMERAL); kind = kindAt(normal, at)) hash = Math.imul(hash ^ normal.charCodeAt(at++), FNV_PRIME);
      if ((kind | kindAt(normal, at + 1)) & SURROGATE) return undefined;
    } else if (kind & SIGN) {
      hash = Math.imul(hash ^ normal.charCodeAt(at++), FNV_PRIME);
    } else {
      // Most of every text: each unit is read once.
      for (let unit = normal.charCodeAt(at); kind & LETTER;) {
        hash = Math.imul(hash ^ unit, FNV_PRIME);
        if (++at === normal.length) break;
        unit = normal.charCodeAt(at);
        kind = kinds[unit]!;
        if (kind === UNKNOWN) kind = learned(unit);
      }
    }
    if (count === hashes.length) return undefined;
    hashes[count++] = mixed(hash);
  }
  return hashes.subarray(0, count);
}
function tokenHashes(normal: string): Uint32Array {
  const hashes = hashesOf(normal);
  return hashes ? new Uint32Array(hashes.buffer, 0, hashes.length) : Uint32Array.from(tokensOf(normal), hashOf);
}

const SHINGLE = 3;

/** A hash of each run of three tokens; of all tokens where there are fewer. */
function shinglesOf(hashes: Uint32Array): Uint32Array {
  const shingles = new Uint32Array(Math.max(1, hashes.length - SHINGLE + 1));
  for (let at = 0; at < shingles.length; at++) {
    let shingle = 0;
    for (let next = at; next < Math.min(at + SHINGLE, hashes.length); next++) shingle = mixed(Math.imul(shingle, 0x9e3779b1) ^ hashes[next]!);
    shingles[at] = shingle;
  }
  return shingles;
}

const hex = (value: number): string => value.toString(16).padStart(8, "0");

/** Enough for sums up to a million. */
const PLANES = 20;

/** Counts a word's bits in, all 32 at once: plane p holds bit p of the 32 sums (a carry-save adder). */
function addBits(planes: Int32Array, word: number): void {
  for (let carry = word, plane = 0; carry !== 0 && plane < PLANES; plane++) {
    const held = planes[plane]!;
    planes[plane] = held ^ carry;
    carry &= held;
  }
}

/** The bits that more than half of `count` words have. */
function majority(planes: Int32Array, count: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) {
    let sum = 0;
    for (let plane = 0; plane < PLANES; plane++) sum += ((planes[plane]! >>> bit) & 1) << plane;
    if (sum * 2 > count) bits |= 1 << bit;
  }
  return bits >>> 0;
}

function simhashOf(shingles: Uint32Array): string {
  const first = new Int32Array(PLANES), second = new Int32Array(PLANES);
  for (let at = 0; at < shingles.length; at++) {
    const shingle = shingles[at]! | 0;
    addBits(first, shingle);
    addBits(second, mixed(shingle ^ 0x5bd1e995) | 0);
  }
  return hex(majority(first, shingles.length)) + hex(majority(second, shingles.length));
}

/** Similarity-preserving fingerprint of 64 bits as 16 hex digits (Charikar 2002), over shingles of three words; blind to case and white space. */
export const simhash = (text: string): string => simhashOf(shinglesOf(tokenHashes(normalized(text))));

const ones = (value: number): number => {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** In how many of their 64 bits two fingerprints differ. */
export const hammingDistance = (a: string, b: string): number =>
  ones(Number.parseInt(a.slice(0, 8), 16) ^ Number.parseInt(b.slice(0, 8), 16)) + ones(Number.parseInt(a.slice(8, 16), 16) ^ Number.parseInt(b.slice(8, 16), 16));

/** Texts of at least this many tokens are recognised by their simhash, shorter ones by their titles. */
const LONG = 50;
/**
 * Simhashes of long texts at most this far apart are of one report; with titles alike it may be as far as LOOSE. Copies of one
 * report with new headlines, agency lines, sentences dropped or added lie 4 to 9 apart on average, reports of different events on
 * one subject 20 and more (test/news/identity.test.ts).
 */
export const CLOSE = 12;
const LOOSE = 20;
/** With titles that have nothing in common an equal text must be at least this long, in tokens: shorter ones may be a notice that a source puts under everything. */
const BEYOND_NOTICE = 120;
const UNLIKE = 0.1;
/** Simhashes at most this far apart are found by their bands for certain. */
export const NEAR = 3;
/** Share of tokens that titles have in common when they are alike; what is too short to tell is not compared. */
const ALIKE = 0.8;
const LEAST_TITLE = 4;
const MOST_TITLE = 16;
/** Shorter texts say nothing. */
const LEAST_TEXT = 8;

/** Beginnings of differently mixed orders: the least under an order is the same for two sets as often as they overlap (MinHash, Broder 1997). */
const TEXT_ORDERS = [0x2545f491, 0x9e3779b9, 0x7f4a7c15, 0x94d049bb];
const TITLE_ORDERS = [0x1b873593, 0xcc9e2d51, 0xe6546b64];

/** A token's mark within a title, 16 bits. */
const markOf = (token: string): string => (hashOf(token) & 0xffff).toString(16).padStart(4, "0");

const leastOf = (hashes: Uint32Array, order: number): number => {
  let least = 0xffffffff;
  for (let at = 0; at < hashes.length; at++) least = Math.min(least, mixed(hashes[at]! ^ order));
  return least;
};

/** Keys that titles alike share: the two least of their telling words, three times over; of titles with fewer the words themselves. */
function titleKeys(tokens: readonly string[]): string[] {
  if (tokens.length < LEAST_TITLE) return [];
  const telling = new Set(tokens.filter((token) => token.length > 4 || /\p{N}/u.test(token)).map(hashOf));
  if (telling.size < 2) return [hex(hashOf(tokens.join(" ")))];
  return TITLE_ORDERS.map((order) => {
    const [least, next] = [...telling].map((hash) => mixed(hash ^ order)).sort((a, b) => a - b);
    return hex(mixed(least! ^ Math.imul(next!, 0x9e3779b1)));
  });
}

/**
 * What a report is recognised by, as one line: `simhash.length.keys.words.numbers`. The simhash is of the text alone, so that a new
 * headline does not change it; keys are for the index; words and numbers are the title's, as marks.
 */
export function fingerprint(given: Wording | Normalized): string {
  const { title, text } = comparable(given);
  const tokens = tokenHashes(text);
  const shingles = shinglesOf(tokens);
  const titled = tokensOf(title).slice(0, MOST_TITLE);
  const sketch = tokens.length < LONG ? [] : TEXT_ORDERS.map((order) => hex(leastOf(shingles, order)));
  const [numbers, words] = [titled.filter((token) => /\p{N}/u.test(token)), titled.filter((token) => !/\p{N}/u.test(token))];
  return [simhashOf(shingles), tokens.length.toString(36), [...sketch, ...titleKeys(titled)].join(""), words.map(markOf).join(""), numbers.map(markOf).join("")].join(".");
}

/** Marks and keys stand one after the other. */
const marksIn = (text: string | undefined): string[] => text?.match(/.{4}/g) ?? [];
const keysIn = (text: string | undefined): string[] => text?.match(/.{8}/g) ?? [];

/**
 * Index keys: reports that may be the same share at least one, so that they are found by index. Four bands of 16 bits of the simhash
 * (two at most three bits apart share one for certain: Manku et al. 2007), and the keys of a whole fingerprint.
 */
export function bands(print: string): string[] {
  const [simhash, length, keys] = print.split(".");
  // A text as short as "Read more" would bring together all that end with it.
  const ofText = length === undefined || Number.parseInt(length, 36) >= LEAST_TEXT ? marksIn(simhash).map((band, at) => `${at}${band}`) : [];
  return [...ofText, ...keysIn(keys).map((key) => `k${key}`)];
}

const overlap = (one: readonly string[], other: readonly string[]): number => {
  const union = new Set([...one, ...other]).size;
  return union === 0 ? 0 : (new Set(one).size + new Set(other).size - union) / union;
};

interface Title { words: string[]; numbers: string[] }

/** Titles with the same words but other numbers head two issues of a series: "index 0.4 percent higher", "earthquake of 5.2". */
const inSeries = (one: Title, other: Title): boolean =>
  one.numbers.length > 0 && other.numbers.length > 0 && overlap(one.numbers, other.numbers) < 1 && overlap(one.words, other.words) >= ALIKE / 2;

/**
 * Whether two fingerprints, or two bare simhashes, are of the same report: long texts by their simhash, short ones by their titles.
 * Says nothing of when they were published, which is for the caller to bound.
 */
export function sameStory(a: string, b: string): boolean {
  const distance = hammingDistance(a, b);
  const [one, other] = [a.split("."), b.split(".")];
  if (one.length === 1 || other.length === 1) return distance <= NEAR;
  const length = Math.min(...[one, other].map((fields) => Number.parseInt(fields[1]!, 36)));
  // Most of what shares a band by chance goes here.
  if (length >= LONG && distance > LOOSE) return false;
  const titles = [one, other].map((fields) => ({ words: marksIn(fields[3]), numbers: marksIn(fields[4]) }));
  if (inSeries(titles[0]!, titles[1]!)) return false;
  const [mine, theirs] = titles.map(({ words, numbers }) => [...words, ...numbers]);
  const likeness = overlap(mine!, theirs!);
  const alike = likeness >= ALIKE && Math.min(mine!.length, theirs!.length) >= LEAST_TITLE;
  if (length >= (likeness < UNLIKE ? BEYOND_NOTICE : LONG)) return distance <= (alike ? LOOSE : CLOSE);
  return alike || (length >= LEAST_TEXT && distance <= NEAR && likeness >= ALIKE / 2);
}
