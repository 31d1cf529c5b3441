import { ServerResponse, type IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { MOST_ROWS } from "../../../core/records/entity.ts";
import { isLarge, jsonInTurns } from "../../../core/contract/answering/large-answers.ts";
import type { z } from "zod";
import type { StoredFile } from "../../../core/contract/answer.ts";
import type { Blobs } from "../../../core/records/blobs.ts";
import { notFound } from "../../../core/problem.ts";
import type { Meta } from "../../../core/access/caller.ts";
import type { Served } from "./request.ts";
import { noteWrite } from "./write-bounds.ts";

/** The address below which an endpoint's new records would be read: its own, without the verb. */
export const homeOf = (path: string): string => path.replace(/\/(bulk|generate|upload|issue\/[^/]+)$/, "");

/** As every answer of our own has it. */
export const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Revision first, for If-Match; then a checksum of the bytes, for If-None-Match: an answer can change while its record
 * does not.
 */
export const etagOf = (rev: number | undefined, body: string | Uint8Array): string =>
  `"r${rev ?? 0}-${crc32(body).toString(36)}${body.length.toString(36)}"`;

/** Whether `If-None-Match` names what would be sent (RFC 9110, 13.1.2: compared weakly). */
export const etagMatches = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));

/** Beyond the counted total, a full page has another page behind it, which may be empty. */
const isFullBeyond = ({ more, limit = 0 }: { more?: boolean; limit?: number }, rows: unknown): boolean =>
  more === true && Array.isArray(rows) && rows.length === Math.min(limit, MOST_ROWS);

function nextPage(
  url: string,
  meta: { total?: number; more?: boolean; page?: number; limit?: number; next?: string | null } | undefined,
  rows: unknown,
): string | undefined {
  if (!meta) return undefined;
  const next = new URL(url, "http://h");
  if (meta.next) next.searchParams.set("cursor", meta.next);
  else if (
    meta.page !== undefined &&
    meta.total !== undefined &&
    meta.limit !== undefined &&
    (isFullBeyond(meta, rows) || meta.page * Math.min(meta.limit, MOST_ROWS) < meta.total)
  )
    next.searchParams.set("page", String(meta.page + 1));
  else return undefined;
  return `<${next.pathname}${next.search}>; rel="next"`;
}

export type Headers = Record<string, string | number>;

/** Headers of every answer. They go out in one writeHead: Node takes a slow path once setHeader was used. */
export const baseHeaders = (requestId: string): Headers => ({
  "X-Request-Id": requestId,
  "X-Content-Type-Options": "nosniff",
});

/** Names and values in turn, as Node's writeHead takes them without lookups. */
export type HeaderList = readonly string[];
const NOTHING: HeaderList = [];

/**
 * The gateway's answers. All have the field from the start: adding it to some later would give V8 two hidden classes
 * and slow down Node's own code.
 */
export class Reply extends ServerResponse {
  owed: HeaderList = NOTHING;
  /** Bytes that are kept once and sent to several clients: they do not count for each slow reader. */
  shared = 0;

  override write(chunk: any, encoding?: any, done?: any): boolean {
    const isTaken = super.write(chunk, encoding, done);
    if (!isTaken && this.socket) noteWrite(this.socket, this.shared);
    return isTaken;
  }

  override end(chunk?: any, encoding?: any, done?: any): this {
    const { socket } = this;
    super.end(chunk, encoding, done);
    if (socket) noteWrite(socket, this.shared);
    return this;
  }
}

/**
 * Notes headers to be sent with the eventual answer. Not by `setHeader`, which costs a fifth of a cheap request, nor in
 * a WeakMap, which the garbage collector has to walk.
 */
export const noteHeaders = (res: ServerResponse, headers: HeaderList): void => {
  (res as Reply).owed = headers;
};
/** The noted headers, for an answer that other code writes. */
export const notedHeaders = (res: ServerResponse): Headers => {
  const { owed } = res as Reply;
  return Object.fromEntries(owed.flatMap((name, at) => (at % 2 ? [] : [[name, owed[at + 1]!]])));
};

/** Headers that the answer sets itself, or that are taken from what the action asked for below. */
const OURS = new Set(["etag", "cache-control", "content-length", "content-type", "link", "location"]);

/** The address of a new record; undefined where it cannot be read below the address of the request. */
function locationOf({ isReadThere }: Served, url: string, value: unknown): string | undefined {
  if (!isReadThere) return undefined;
  const id = (value as { id?: unknown } | null)?.id ?? (value as { data?: { id?: unknown } } | null)?.data?.id;
  return id === undefined
    ? undefined
    : `${homeOf(url.split("?")[0]!.replace(/\/$/, ""))}/${encodeURIComponent(String(id))}`;
}

/** A browser shows it as a page, and would show it again by its Back button after its reader has signed out. */
const isShownAsPage = ({ headers }: IncomingMessage): boolean => headers["sec-fetch-mode"] === "navigate";

/** Sends an action's answer in its contract's envelope; a large one is written in turns of the event loop. */
export function sendAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  served: Served,
  value: unknown,
  meta: Meta,
  requestId: string,
): Promise<void> | void {
  const { body, wrap } = served.contract.returns;
  if (!body) return send(req, res, served, value, meta, requestId, wrap(value) as string | Uint8Array);
  if (!isLarge(value)) return send(req, res, served, value, meta, requestId, JSON.stringify(wrap(value)));
  return jsonInTurns(wrap(value)).then((bytes) =>
    res.destroyed ? undefined : send(req, res, served, value, meta, requestId, bytes),
  );
}

/** Headers that the action set, except those that the gateway sets. */
function pushGiven(headers: string[], given: Meta["$responseHeaders"]): void {
  if (given) for (const name in given) if (!OURS.has(name.toLowerCase())) headers.push(name, given[name]!);
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  served: Served,
  value: unknown,
  meta: Meta,
  requestId: string,
  body: string | Uint8Array,
): void {
  const { returns, cacheSeconds, noStore } = served.contract;
  const { $statusCode: status = 200, $responseHeaders: given, $rev: rev } = meta;
  const headers = ["X-Request-Id", requestId, "X-Content-Type-Options", "nosniff"];
  const { owed } = res as Reply;
  if (owed.length) headers.push(...owed);
  pushGiven(headers, given);
  if (status === 204) return void res.writeHead(204, headers).end();
  const list = served.method === "GET" ? (value as { meta?: object } | null)?.meta : undefined;
  const link = (list && nextPage(req.url!, list, (value as { data?: unknown }).data)) ?? given?.["Link"];
  if (link) headers.push("Link", link);
  const place =
    (status === 201 || status === 202 ? locationOf(served, req.url!, value) : undefined) ?? given?.["Location"];
  if (place) headers.push("Location", place);
  const reads = req.method === "GET" || req.method === "HEAD";
  const etag = reads || rev !== undefined ? etagOf(rev, body) : undefined;
  if (etag) headers.push("ETag", etag);
  headers.push(
    "Cache-Control",
    !reads || noStore || isShownAsPage(req)
      ? "no-store"
      : cacheSeconds
        ? `private, max-age=${cacheSeconds}`
        : "private, no-cache",
  );
  if (reads && status === 200 && etagMatches(req.headers["if-none-match"], etag!))
    return void res.writeHead(304, headers).end();
  const bytes = Buffer.byteLength(body);
  headers.push("Content-Type", given?.["Content-Type"] ?? returns.contentType, "Content-Length", String(bytes));
  res.writeHead(status, headers);
  if (req.method === "HEAD") return void res.end();
  // As many bytes as characters: ASCII, which needs no transcoding.
  res.end(body, bytes === body.length ? "latin1" : "utf8");
}

const hungUp = (error: unknown): boolean => (error as { code?: string } | null)?.code === "ERR_STREAM_PREMATURE_CLOSE";

/**
 * Sends a text piece by piece, as fast as the client reads. Throws errors before the first piece, which are refused
 * like any other; a later error closes the connection.
 */
export async function pass(
  req: IncomingMessage,
  res: ServerResponse,
  served: Served,
  source: Readable,
  meta: Meta,
  requestId: string,
): Promise<void> {
  // Errors after the reader is gone concern nobody.
  source.on("error", () => {});
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<string>;
  async function* from({ done, value }: IteratorResult<string>): AsyncGenerator<string> {
    if (done) return;
    yield value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  try {
    const first = await pieces.next();
    if (res.destroyed) return;
    const headers = ["X-Request-Id", requestId, "X-Content-Type-Options", "nosniff", ...(res as Reply).owed];
    pushGiven(headers, meta.$responseHeaders);
    headers.push("Content-Type", served.contract.returns.contentType, "Cache-Control", "no-store");
    res.writeHead(200, headers);
    if (req.method === "HEAD") return void res.end();
    await pipeline(from(first), res).catch((error: unknown) => {
      if (!hungUp(error)) throw error;
    });
  } finally {
    source.destroy();
  }
}

/** RFC 6266 with RFC 8187: the name in ASCII, and the original name. */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w .()-]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Sends a stored file, as fast as the client reads. Throws 404 where its bytes were removed meanwhile. */
export async function sendFile(
  req: IncomingMessage,
  res: ServerResponse,
  blobs: Blobs,
  { blob, name, bytes, sha256 }: z.output<typeof StoredFile>,
  requestId: string,
): Promise<void> {
  const etag = `"${sha256.slice(0, 32)}"`;
  const headers = {
    ...baseHeaders(requestId),
    ...notedHeaders(res),
    ETag: etag,
    "Cache-Control": isShownAsPage(req) ? "no-store" : "private, no-cache",
    "Content-Disposition": attachment(name),
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
  if (etagMatches(req.headers["if-none-match"], etag)) return void res.writeHead(304, headers).end();
  const source = req.method === "HEAD" ? undefined : await blobs.read(blob);
  if (source === null) throw notFound("file", name);
  if (res.destroyed) return void source?.destroy();
  res.writeHead(200, { ...headers, "Content-Type": "application/octet-stream", "Content-Length": bytes });
  if (!source) return void res.end();
  await pipeline(source, res).catch((error: unknown) => {
    if (!hungUp(error)) throw error;
  });
}
