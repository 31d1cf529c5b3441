/** Characters that are sorted by number; where they are the same the texts are compared. */
const SORTED = 8,
  BITS = 7,
  DIGIT_BITS = 14,
  DIGITS = 2 ** DIGIT_BITS;
const LAST = 2 ** BITS - 1;

/**
 * The first eight characters in two numbers of 28 bits. What is not ASCII counts as the last number, and ends the text:
 * the order is then decided by comparing.
 */
function keysOf(text: string, at: number, keys: readonly [Int32Array, Int32Array]): void {
  let high = 0,
    low = 0,
    ended = false;
  for (let place = 0; place < SORTED; place++) {
    const code: number = ended || place >= text.length ? 0 : Math.min(LAST, text.charCodeAt(place));
    ended ||= code === LAST;
    if (place < SORTED / 2) high = (high << BITS) | code;
    else low = (low << BITS) | code;
  }
  keys[0][at] = high;
  keys[1][at] = low;
}

/**
 * The places of different texts in the order JavaScript compares strings: a radix sort by their beginnings, five times
 * faster than comparing.
 */
export function sortedOrder(texts: readonly string[]): Int32Array {
  const count = texts.length,
    keys: [Int32Array, Int32Array] = [new Int32Array(count), new Int32Array(count)];
  for (let at = 0; at < count; at++) keysOf(texts[at]!, at, keys);
  let order = Int32Array.from(texts, (_, at) => at),
    other = new Int32Array(count);
  for (const key of [keys[1], keys[0]]) {
    for (const shift of [0, DIGIT_BITS]) {
      pass(order, other, key, shift);
      [order, other] = [other, order];
    }
  }
  for (let from = 0, to = 1; from < count; from = to++) {
    while (to < count && keys[0][order[to]!] === keys[0][order[from]!] && keys[1][order[to]!] === keys[1][order[from]!])
      to++;
    if (to - from > 1) order.subarray(from, to).sort((one, next) => (texts[one]! < texts[next]! ? -1 : 1));
  }
  return order;
}

function pass(from: Int32Array, to: Int32Array, key: Int32Array, shift: number): void {
  const starts = new Int32Array(DIGITS + 1);
  for (let at = 0; at < from.length; at++) starts[((key[from[at]!]! >>> shift) & (DIGITS - 1)) + 1]!++;
  for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1]! += starts[digit]!;
  for (let at = 0; at < from.length; at++) to[starts[(key[from[at]!]! >>> shift) & (DIGITS - 1)]!++] = from[at]!;
}
