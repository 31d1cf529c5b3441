import { createInflate } from "node:zlib";
import { tooBig } from "../text.ts";

/** Bytes that one stream of a file may unpack to; pages of real documents stay below a tenth of that. */
const MOST_STREAM_BYTES = 33_554_432;
/** All that are large enough to be looked at, together. */
const MOST_BYTES = 268_435_456;
/** Deflate compresses by at most this ratio: a shorter stream cannot unpack to too much. */
const MOST_RATIO = 1_032;
/** The most nested filters that are unpacked; no file needs two. */
const MOST_TIMES = 4;
/** The most bytes between a stream's dictionary and its data. */
const DICTIONARY_BYTES = 2_048;

interface Packed {
  bytes: Buffer;
  /** How many nested filters. */
  times: number;
  /** Pictures are not unpacked for their text, unless a page names one as its contents. */
  picture?: string;
}

/** Streams packed by Deflate that could unpack to too much. */
function* suspects(bytes: Buffer): Generator<Packed> {
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at + 6)) {
    const from = at + 6 + (bytes[at + 6] === 13 ? 2 : 1);
    const end = bytes.indexOf("endstream", from);
    const to = end < 0 ? bytes.length : end;
    const before = bytes.toString("latin1", Math.max(0, at - DICTIONARY_BYTES), at);
    const start = before.lastIndexOf(" obj");
    const dictionary = before.slice(start + 4);
    const times = Math.min(MOST_TIMES, dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0);
    if (times && to - from > MOST_STREAM_BYTES / MOST_RATIO ** times) {
      const object = /(\d{1,10}) \d{1,5}$/.exec(before.slice(Math.max(0, start - 20), Math.max(0, start)))?.[1];
      const isPicture = /\/Subtype\s{0,9}\/Image\b/.test(dictionary);
      yield { bytes: bytes.subarray(from, to), times, ...(isPicture && { picture: object ?? "" }) };
    }
    if (end < 0) return;
    at = to + 3;
  }
}

/** The unpacked size of a stream, counted without keeping it; counting stops above the limit. */
function unpackedBytes({ bytes, times }: Packed): Promise<number> {
  return new Promise((resolve) => {
    const stages = Array.from({ length: times }, () => createInflate());
    let counted = 0;
    const done = (): void => {
      for (const stage of stages) stage.destroy();
      resolve(counted);
    };
    for (const [nth, stage] of stages.entries()) {
      // Damaged streams are reported by the reader.
      stage.on("error", done);
      if (nth) stages[nth - 1]!.pipe(stage);
    }
    stages
      .at(-1)!
      .on("end", done)
      .on("data", (chunk: Buffer) => {
        counted += chunk.length;
        if (counted > MOST_STREAM_BYTES) done();
      });
    stages[0]!.end(bytes);
  });
}

/** The object numbers named by the `/Contents` of pages, single or in a list. */
function contentsOf(bytes: Buffer): Set<string> {
  const found = new Set<string>();
  const [KEY, MOST] = ["/Contents", 10_000];
  for (let at = bytes.indexOf(KEY); at >= 0; at = bytes.indexOf(KEY, at + KEY.length)) {
    const rest = bytes.toString("latin1", at + KEY.length, at + KEY.length + MOST).trimStart();
    const named = rest.startsWith("[") ? rest.slice(0, rest.indexOf("]") + 1) : rest.slice(0, 20);
    const references = [...named.matchAll(/(\d{1,10}) \d{1,5} R/g)];
    for (const [, object] of rest.startsWith("[") ? references : references.slice(0, 1)) found.add(object!);
  }
  return found;
}

/**
 * Throws Unreadable for a file whose streams unpack to more than any document needs: its reader would hold each in
 * memory, several times over, before it could be stopped.
 */
export async function refuseExploding(bytes: Buffer): Promise<void> {
  let contents: Set<string> | undefined;
  let sum = 0;
  for (const packed of suspects(bytes)) {
    if (packed.picture !== undefined) {
      contents ??= contentsOf(bytes);
      if (!contents.has(packed.picture)) continue;
    }
    const unpacked = await unpackedBytes(packed);
    sum += unpacked;
    if (unpacked > MOST_STREAM_BYTES || sum > MOST_BYTES)
      throw tooBig(`Unpacked it is larger than any document: a part of it has more than ${MOST_STREAM_BYTES} bytes.`);
  }
}
