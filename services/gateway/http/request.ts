import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate, type ZlibOptions } from "node:zlib";
import { reader, type PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import { complaintsAbout, meantBy, unknownName } from "../../../core/contract/input/complaints.ts";
import { parametersOf as declaredBy } from "../../../core/contract/input/input.ts";
import { isShape } from "../../../core/contract/endpoint.ts";
import { atOnce, inTurns } from "../../../core/work/turns.ts";
import { isShort, jsonInSteps, type ValueVisitor } from "../../../core/contract/input/json-reader.ts";
import { badRequest, invalid, Problem, tooLarge, type Detail } from "../../../core/problem.ts";
import { refuseBoundless, refuseFields, refuseIllFormed, textsThat } from "../../../core/contract/input/unicode.ts";
import { errorShapeOf, type ErrorShape } from "./refuse.ts";
import type { Form } from "./uploads.ts";

const JSON_LIMIT = 1_048_576;
/** No endpoint declares as many: a request with more is refused before any work. */
const MOST_FIELDS = 200;

/**
 * A request's two ids: the one that its client and log readers know, and the one used inside the mesh, where work is
 * aborted by an id that no client can guess.
 */
export interface RequestNames {
  readonly outside: string;
  readonly inside: string;
}

/** One endpoint as the gateway serves it: its contract, and what can be prepared before a request comes. */
export interface Served extends PublishedEndpoint {
  errors: ErrorShape;
  /** Turns the text of a parameter into its JSON type. */
  read: ReturnType<typeof reader>;
  queryNames: ReadonlySet<string>;
  /** Names that a body may not contain, since they come from the path or the query. */
  reserved: ReadonlySet<string>;
  /** Whether a new record can be read by its id below the address that created it. */
  isReadThere: boolean;
}

export function serve(published: PublishedEndpoint): Served {
  const { contract, path } = published;
  const inPath = [...path.matchAll(/[:*]([A-Za-z_]\w*)/g)].map(([, name]) => name!);
  let read: Served["read"] | undefined;
  return {
    ...published,
    errors: errorShapeOf(published),
    read: (name, raw) => (read ??= reader(contract))(name, raw),
    queryNames: new Set(Object.keys(contract.query ?? {})),
    reserved: new Set([...inPath, ...Object.keys(contract.query ?? {})]),
    isReadThere: false,
  };
}

/** Reads a body of at most `most` bytes; a larger one is refused with 413 and not read on. */
export function readBody(req: IncomingMessage, most: number): Promise<Buffer> {
  const announced = Number(req.headers["content-length"] ?? 0);
  if (announced > most)
    return Promise.reject(tooLarge(`The body has ${announced} bytes; this endpoint takes at most ${most}.`));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) {
        req.removeAllListeners("data");
        req.resume();
        chunks.length = 0;
        reject(tooLarge(`The body is larger than the ${most} bytes that this endpoint takes.`));
      } else chunks.push(chunk);
    });
    req.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.on("error", reject);
    // Every request closes, and an error costs a stack.
    req.on("close", () => {
      if (!req.readableEnded) reject(badRequest("The connection ended inside the body."));
    });
  });
}

/**
 * What a body must contain to need a check of every value: such names, escapes that could spell them or be half of a
 * surrogate pair, or digits that could lead beyond all numbers.
 */
const SUSPECT = /__proto__|constructor|\\u(?:00|d[89a-f])|\d{200}|\de\+?\d{3}/i;

/** `__proto__` and similar keys are nobody's data: they are refused at any depth. */
function poisoned(node: unknown): boolean {
  if (node === null || typeof node !== "object") return false;
  if (Array.isArray(node)) return node.some(poisoned);
  return Object.entries(node).some(
    ([key, value]) => key === "__proto__" || (key === "constructor" && typeof value === "object") || poisoned(value),
  );
}

const lookAt: ValueVisitor = (part, path) => {
  if (poisoned(part)) throw badRequest("The body has a key that no record may have (__proto__, constructor).");
  refuseIllFormed(part, path);
  refuseBoundless(part, path);
};

/**
 * Parses JSON, a long text in turns of the event loop; throws 400 where it is not JSON, is nested too deep, has a
 * forbidden key, text that is not valid Unicode, or a number beyond all bounds.
 */
export function parseJson(bytes: Buffer): Promise<unknown> | unknown {
  const text = textOf(bytes, nonUtf8Fields);
  return typeof text === "string" ? readJson(text, SUSPECT.test(text) ? lookAt : undefined) : text;
}

const readJson = (text: string, look?: ValueVisitor): Promise<unknown> | unknown =>
  isShort(text) ? atOnce(jsonInSteps(text, look)) : inTurns(jsonInSteps(text, look));

/** The value, once no key, no text and no number in it is forbidden. */
function harmless(text: string, value: unknown): unknown {
  if (SUSPECT.test(text)) lookAt(value, []);
  return value;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a body. Throws 400 where it is not UTF-8, naming the fields. */
function textOf(bytes: Buffer, fields: (bytes: Buffer) => string[] | Promise<string[]>): string | Promise<never> {
  try {
    return utf8.decode(bytes);
  } catch {
    return Promise.resolve(fields(bytes)).then((found) => refuseFields(found, "The body is not valid UTF-8."));
  }
}

/** The fields of a JSON body that are not UTF-8; `""`, the whole body, where it is no JSON either. */
async function nonUtf8Fields(bytes: Buffer): Promise<string[]> {
  const found: string[] = [];
  const isReplaced = (text: string): boolean => text.includes("\ufffd");
  try {
    await readJson(bytes.toString(), (part, path) => void found.push(...textsThat(isReplaced, part, path)));
  } catch {
    return [""]; // nobody can tell
  }
  return found.length ? found : [""];
}

/** The content codings of RFC 9110 §8.4.1 that a body may have; `maxOutputLength` stops a decompression bomb. */
const INFLATES: Readonly<Record<string, (bytes: Buffer, how: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  "x-gzip": promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
};

/** The body's bytes after its content coding is undone. Throws 400, 413, 415. */
async function decoded(bytes: Buffer, encoding: string, contract: Served["contract"], most: number): Promise<Buffer> {
  const inflated = contract.inflates && Object.hasOwn(INFLATES, encoding) ? INFLATES[encoding] : undefined;
  if (!inflated)
    throw contract.inflates
      ? new Problem(415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as it is, or in gzip or deflate.", {
          headers: { "Accept-Encoding": "gzip, deflate, identity" },
        })
      : new Problem(415, "UNSUPPORTED_MEDIA_TYPE", "Send the body without content encoding.", {
          headers: { "Accept-Encoding": "identity" },
        });
  try {
    return await inflated(bytes, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw tooLarge(`The body is larger than ${most} bytes when it is inflated, which is what this endpoint takes.`);
    throw badRequest(`The body is not valid ${encoding}.`);
  }
}

/** The body as the contract declares it; undefined where there is none. */
async function bodyOf(req: IncomingMessage, { contract }: Served): Promise<unknown> {
  const most = contract.bodyLimit ?? JSON_LIMIT;
  const sent = await readBody(req, most);
  if (!sent.length) return undefined;
  const encoding = req.headers["content-encoding"]?.trim().toLowerCase();
  const bytes = encoding && encoding !== "identity" ? await decoded(sent, encoding, contract, most) : sent;
  const wanted = contract.consumes ?? "application/json";
  const type = (req.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  const medium = contract.media && Object.hasOwn(contract.media, type) ? contract.media[type] : undefined;
  if (medium) {
    const text = await textOf(bytes, () => ["body"]);
    return harmless(text, await medium.read(text));
  }
  const fits = contract.consumes
    ? type === wanted ||
      (wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1))) ||
      type === "application/octet-stream" ||
      type.endsWith("xml") ||
      type === "text/plain"
    : type === wanted || type.endsWith("+json");
  if (!fits) {
    const taken = [wanted, ...Object.keys(contract.media ?? {})];
    throw new Problem(415, "UNSUPPORTED_MEDIA_TYPE", `Send the body as ${taken.join(" or ")}.`, {
      headers: { Accept: taken.join(", ") },
    });
  }
  if (contract.binary) return bytes;
  return contract.consumes ? textOf(bytes, () => ["body"]) : parseJson(bytes);
}

/** Whether percent-encoded text is UTF-8; URLSearchParams would silently replace what is not. */
const isEncodedUtf8 = (text: string): boolean =>
  isUtf8(
    Buffer.from(
      text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      "latin1",
    ),
  );

/** Names of the parameters whose text is no Unicode. */
function nonUnicodeParameters(search: string): string[] {
  const bad = search.split("&").filter((pair) => !isEncodedUtf8(pair));
  return [...new Set(bad.flatMap((pair) => [...new URLSearchParams(pair).keys()]))];
}

/** `a=1&a=2` flat: a repeated name becomes an array, and nothing ever becomes an object. */
function queryOf(search: string, served: Served, into: Record<string, unknown>, complaints: Detail[]): void {
  if (!search) return;
  const given = new Map<string, string | string[]>();
  let isReplaced = false;
  for (const [name, value] of new URLSearchParams(search)) {
    isReplaced ||= value.includes("\ufffd") || name.includes("\ufffd");
    const before = given.get(name);
    given.set(name, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]);
  }
  const bad = isReplaced ? nonUnicodeParameters(search) : [];
  if (bad.length) refuseFields(bad);
  for (const [name, raw] of given) {
    if (served.queryNames.has(name)) into[name] = served.read(name, raw);
    else if (isField(served, name)) complaints.push({ path: name, message: "Belongs in the body, as a field." });
    else {
      const meant = meantBy(name, served.queryNames);
      // The valid names are listed once, however many wrong ones are sent.
      const known = complaints.length === 0 ? served.queryNames : [];
      complaints.push({ path: name, message: unknownName("query parameter", meant, known) });
    }
  }
}

/**
 * The action's parameters from path, query and body; synchronous where there is no body. Throws 400, 413 or 415, naming
 * the field.
 */
export function parametersOf(
  req: IncomingMessage,
  served: Served,
  inPath: Record<string, string>,
  search: string,
  form?: Form,
): Promise<Record<string, unknown>> | Record<string, unknown> {
  const bodied =
    served.method !== "GET" &&
    (req.headers["content-length"] !== undefined || req.headers["transfer-encoding"] !== undefined);
  // Only a body can bring undeclared names, which might collide with a plain object's prototype; V8 is twice as slow
  // with an object that has no prototype.
  const params: Record<string, unknown> = bodied ? Object.create(null) : {};
  const complaints: Detail[] = [];
  for (const name in inPath) params[name] = served.read(name, inPath[name]!);
  queryOf(search, served, params, complaints);
  return bodied
    ? (form ? form.read(req) : bodyOf(req, served)).then((body) => complete(body, served, params, complaints))
    : complete(undefined, served, params, complaints);
}

function complete(
  body: unknown,
  served: Served,
  params: Record<string, unknown>,
  complaints: Detail[],
): Record<string, unknown> {
  const { contract } = served;
  if (body !== undefined) place(body, served, params, complaints);
  if (complaints.length) throw invalid([...complaints, ...otherFaults(served, params, complaints)]);
  if (contract.consumes && !contract.upload && params["body"] === undefined)
    throw badRequest(`The body is empty; send ${contract.consumes}.`);
  return params;
}

/**
 * What the action would refuse next, so that one answer names every fault; without fields that were already complained
 * about.
 */
function otherFaults(served: Served, params: Record<string, unknown>, told: readonly Detail[]): Detail[] {
  const names = new Set(told.map(({ path }) => path));
  const schema = declaredBy(served.contract);
  const faults = complaintsAbout(schema.safeParse(params).error?.issues ?? [], schema);
  return faults.filter(({ path }) => !names.has(path));
}

/** Whether a name is one of the body's fields. */
const isField = ({ contract: { body } }: Served, name: string): boolean =>
  body !== undefined && isShape(body) && Object.hasOwn(body, name);

function place(
  body: unknown,
  { contract, reserved, queryNames, read }: Served,
  params: Record<string, unknown>,
  complaints: Detail[],
): void {
  if ((contract.consumes && !contract.upload) || (contract.body !== undefined && !isShape(contract.body))) {
    params["body"] = body;
    return;
  }
  if (body === null || typeof body !== "object" || Array.isArray(body))
    throw invalid([{ path: "", message: "The body must be a JSON object." }]);
  const declared = contract.body ?? {};
  const names = Object.keys(body);
  const isMuch = names.length > MOST_FIELDS && !contract.upload;
  for (const name of names) {
    const value = (body as Record<string, unknown>)[name];
    if (queryNames.has(name)) complaints.push({ path: name, message: `Belongs in the address, as \`?${name}=…\`.` });
    else if (reserved.has(name) || (isMuch && !Object.hasOwn(declared, name)))
      complaints.push({ path: name, message: "There is no such field." });
    else params[name] = contract.upload && name !== contract.upload.file ? read(name, value as string) : value;
  }
}
