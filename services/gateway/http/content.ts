import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { inTurns, type Steps } from "../../../core/work/turns.ts";
import { etagMatches, type Reply } from "./respond.ts";

/** A page of this site may load from and send to this site alone, and no foreign page may frame it. */
const CSP =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "frame-ancestors 'none'; form-action 'self'; base-uri 'none'";
export const PAGE_HEADERS = [
  "Content-Security-Policy",
  CSP,
  "X-Frame-Options",
  "DENY",
  "Referrer-Policy",
  "no-referrer",
  // A foreign page that opened one keeps no hold of its window.
  "Cross-Origin-Opener-Policy",
  "same-origin",
] as const;

/**
 * After a page over https browsers come by https alone (RFC 6797). That holds for all ports of the host: where the
 * gateway has another than the usual one, it does not speak for the others.
 */
export function strictTransport(origin: string): Record<string, string> {
  const { protocol, port } = new URL(origin);
  return protocol === "https:" && !port ? { "Strict-Transport-Security": "max-age=31536000" } : {};
}

/** Most compact first: it is sent where the client accepts several equally. */
const CODINGS = ["br", "gzip", "identity"] as const;
export type Coding = (typeof CODINGS)[number];

/** Shorter texts fit into one packet uncompressed. */
const WORTH_COMPRESSING = 1_200;
/** Brotli's highest level takes seconds; level 9 takes a tenth of one, for at most a tenth more bytes. */
const BROTLI_LEVEL = 9;

const deflated = promisify(gzip);
const brotlied = promisify<Buffer, object, Buffer>(brotliCompress);

/**
 * The coding that a client prefers (RFC 9110, 12.5.3); a coding it does not mention is not used, but plain text always
 * may be.
 */
export function codingFor(accepts: string | undefined): Coding {
  if (!accepts) return "identity";
  const weights = new Map(
    accepts.split(",").map((part) => {
      const [name, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith("q="));
      return [name!, q ? Number(q.slice(2)) || 0 : 1];
    }),
  );
  const weight = (coding: Coding): number =>
    weights.get(coding) ?? weights.get("*") ?? (coding === "identity" ? Number.MIN_VALUE : 0);
  const taken = CODINGS.filter((coding) => weight(coding) > 0);
  return taken.length ? taken.reduce((best, coding) => (weight(coding) > weight(best) ? coding : best)) : "identity";
}

/** One text under one coding, with all its headers. */
interface Form {
  body: Buffer;
  etag: string;
  whole: readonly string[];
  unchanged: readonly string[];
}

/** Makes a text in steps, or reads it from somewhere. */
export type TextSource = () => Steps<string> | Promise<Buffer>;

/**
 * JSON of an object in steps, one entry of the second level each, so that a large document does not block the event
 * loop.
 */
export function* json(value: Readonly<Record<string, unknown>>, levels = 2): Steps<string> {
  const entries: string[] = [];
  for (const [name, one] of Object.entries(value)) {
    const isDeep = levels > 1 && one !== null && typeof one === "object" && !Array.isArray(one);
    const text = isDeep ? yield* json(one as Record<string, unknown>, levels - 1) : JSON.stringify(one);
    if (text !== undefined) entries.push(`${JSON.stringify(name)}:${text}`);
    yield;
  }
  return `{${entries.join(",")}}`;
}

/**
 * A text that is the same for everybody. It is made on first use, in turns of the event loop, and compressed once for
 * each coding in other threads; concurrent requests share that work. From then on an answer is one write of kept bytes.
 */
export class Content {
  readonly #type: string;
  readonly #cache: string;
  readonly #source: TextSource;
  #bytes: Promise<Buffer> | undefined;
  readonly #making = new Map<Coding, Promise<Form>>();
  readonly #made = new Map<Coding, Form>();

  constructor(type: string, source: TextSource | string, cache = "no-cache") {
    this.#type = type;
    this.#cache = cache;
    this.#source = typeof source === "string" ? async () => Buffer.from(source) : source;
  }

  /** Answers GET, HEAD and If-None-Match; synchronous once the text is made. */
  async send(req: IncomingMessage, res: Reply): Promise<void> {
    const coding = codingFor(req.headers["accept-encoding"]?.toString());
    const { body, etag, whole, unchanged } = this.#made.get(coding) ?? (await this.#form(coding));
    if (etagMatches(req.headers["if-none-match"], etag)) return void res.writeHead(304, [...unchanged]).end();
    res.writeHead(200, [...whole]);
    if (req.method === "HEAD") return void res.end();
    res.shared = body.length;
    res.end(body);
  }

  #form(coding: Coding): Promise<Form> {
    let making = this.#making.get(coding);
    if (!making) {
      this.#making.set(coding, (making = this.#make(coding)));
      // A failure is not kept: the next request tries again.
      making.then(
        (form) => this.#made.set(coding, form),
        () => this.#making.delete(coding),
      );
    }
    return making;
  }

  async #make(coding: Coding): Promise<Form> {
    const bytes = await (this.#bytes ??= this.#read());
    const isPlain = coding === "identity" || bytes.length < WORTH_COMPRESSING;
    const body = isPlain
      ? bytes
      : coding === "gzip"
        ? await deflated(bytes, { level: 9 })
        : await brotlied(bytes, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          });
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
    const unchanged = ["ETag", etag, "Cache-Control", this.#cache, "Vary", "Accept-Encoding", ...PAGE_HEADERS];
    return {
      body,
      etag,
      unchanged,
      whole: [
        ...unchanged,
        "Content-Type",
        this.#type,
        "Content-Length",
        String(body.length),
        ...(isPlain ? [] : ["Content-Encoding", coding]),
      ],
    };
  }

  async #read(): Promise<Buffer> {
    try {
      const made = this.#source();
      return "next" in made ? Buffer.from(await inTurns(made)) : await made;
    } catch (error) {
      this.#bytes = undefined;
      throw error;
    }
  }
}
