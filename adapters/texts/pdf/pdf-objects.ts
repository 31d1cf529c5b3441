import { constants, inflateSync } from "node:zlib";

/** The most bytes between a stream's dictionary and its data. */
const DICTIONARY_BYTES = 2_048;
/** The most bytes that one stream may unpack to, and all together. */
const MOST_STREAM_BYTES = 4_194_304;
export const MOST_BYTES = 33_554_432;

/** A stream as stored in the file; the last one of a truncated file has no end. */
export interface Stream {
  dictionary: string;
  packed: Buffer;
  isWhole: boolean;
}

/** The streams of a file, in its order. */
export function* streamsOf(bytes: Buffer): Generator<Stream> {
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at + 6)) {
    const from = at + 6 + (bytes[at + 6] === 13 ? 2 : 1);
    const end = bytes.indexOf("endstream", from);
    const before = bytes.toString("latin1", Math.max(0, at - DICTIONARY_BYTES), at);
    const start = before.lastIndexOf(" obj");
    const dictionary = before.slice(start + 4).trim();
    if (start >= 0 && dictionary.startsWith("<<") && dictionary.endsWith(">>"))
      yield { dictionary, packed: bytes.subarray(from, end < 0 ? bytes.length : end), isWhole: end >= 0 };
    if (end < 0) return;
    at = end + 3;
  }
}

/** The bytes of a stream as far as they unpack; undefined for an unsupported filter. */
export function unpackStream({ dictionary, packed }: Stream): Buffer | undefined {
  const filters = dictionary.match(/\/\w+Decode\b/g) ?? [];
  if (filters.length === 0) return packed.subarray(0, MOST_STREAM_BYTES);
  if (filters.length > 1 || filters[0] !== "/FlateDecode" || dictionary.includes("/DecodeParms")) return undefined;
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_STREAM_BYTES });
  } catch {
    return undefined;
  }
}

const numberOf = (dictionary: string, key: string): number =>
  Number(new RegExp(`/${key}\\s{1,4}(\\d{1,9})\\b`).exec(dictionary)?.[1] ?? Number.NaN);

/**
 * The objects packed in object streams (ISO 32000-1, 7.5.7), written out: without the table at a file's end they cannot
 * be found otherwise.
 */
export function packedObjects(bytes: Buffer): string {
  const written: string[] = [];
  let sum = 0;
  for (const stream of streamsOf(bytes)) {
    if (!/\/Type\s{0,4}\/ObjStm\b/.test(stream.dictionary)) continue;
    const text = unpackStream(stream)?.toString("latin1") ?? "";
    sum += text.length;
    if (sum > MOST_BYTES) break;
    const [count, first] = [numberOf(stream.dictionary, "N"), numberOf(stream.dictionary, "First")];
    if (!(count * 4 <= text.length && first <= text.length)) continue;
    const numbers = text.slice(0, first).trim().split(/\s+/).map(Number);
    for (let nth = 0, from = 0; nth < count; nth++) {
      const [object, at, next] = [
        numbers[nth * 2]!,
        numbers[nth * 2 + 1]!,
        numbers[nth * 2 + 3] ?? text.length - first,
      ];
      // Each comes after the one before: together they are no longer than the unpacked stream.
      if (!Number.isInteger(object) || !(from <= at && at <= next && first + next <= text.length)) continue;
      written.push(`${object} 0 obj\n${text.slice(first + at, first + next)}\nendobj\n`);
      from = next;
    }
  }
  return written.join("");
}
