import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { OutboundError } from "./errors.ts";

/** Content codings we ask for. */
export const acceptEncoding = "gzip, deflate, br";

const tooLarge = (host: string, maxBytes: number) =>
  new OutboundError("too-large", `The answer of ${host} is larger than ${Math.floor(maxBytes / 1024)} KB.`);

/** Servers send "deflate" both with a zlib header (right, RFC 9110) and without one (common): the first byte tells. */
const inflate = (first: number) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw());

const decoders: Record<string, (head: Buffer) => Transform | null> = {
  // Some servers declare gzip and send plain text.
  gzip: (head) => (head[0] === 0x1f && head[1] === 0x8b ? createGunzip() : null),
  "x-gzip": (head) => decoders["gzip"]!(head),
  deflate: (head) => inflate(head[0] ?? 0),
  br: () => createBrotliDecompress(),
  identity: () => null,
};

function codings(header: string, host: string): string[] {
  const names = header
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names.find((name) => !Object.hasOwn(decoders, name));
  if (unknown || names.length > 3)
    throw new OutboundError(
      "protocol",
      `${host} answers in a compression that we do not read (${header.slice(0, 60)}).`,
    );
  // Listed in the order they were applied: undone from the last.
  return names.reverse();
}

async function* counted(chunks: AsyncIterable<Buffer>, maxBytes: number, host: string): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(host, maxBytes);
    yield chunk;
  }
}

/** Reads until there are two bytes to judge by; answers them put together and the rest of the stream behind them. */
async function peek(chunks: AsyncGenerator<Buffer>): Promise<{ head: Buffer; all: AsyncGenerator<Buffer> }> {
  const read: Buffer[] = [];
  let size = 0;
  while (size < 2) {
    const { value, done } = await chunks.next();
    if (done) break;
    read.push(value);
    size += value.length;
  }
  async function* all() {
    yield* read;
    yield* chunks;
  }
  return { head: Buffer.concat(read), all: all() };
}

async function* decoded(chunks: AsyncGenerator<Buffer>, coding: string): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks);
  const decoder = head.length > 0 ? decoders[coding]!(head) : null;
  if (!decoder) return yield* all;
  // The pipeline destroys both ends on an error, which the loop below then throws.
  yield* pipeline(all, decoder, () => undefined) as AsyncIterable<Buffer>;
}

/**
 * Reads a response body whole, decompressed. `maxBytes` bounds both what is read from the wire and what comes out of
 * the decompressor, chunk by chunk, so that a bomb is never inflated beyond it. Throws OutboundError `too-large` or
 * `protocol`, or zlib's error.
 */
export async function readBody(
  body: Readable,
  headers: Record<string, string>,
  maxBytes: number,
  host: string,
): Promise<Buffer> {
  try {
    const announced = Number(headers["content-length"]);
    if (announced > maxBytes) throw tooLarge(host, maxBytes);
    let chunks = counted(body as AsyncIterable<Buffer>, maxBytes, host);
    for (const coding of codings(headers["content-encoding"] ?? "", host))
      chunks = counted(decoded(chunks, coding), maxBytes, host);
    const all: Buffer[] = [];
    for await (const chunk of chunks) all.push(chunk);
    return Buffer.concat(all);
  } finally {
    // Destroying an unread body makes undici emit the abort as an error, which nobody awaits any more.
    body.on("error", () => undefined).destroy();
  }
}
