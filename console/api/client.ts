import { noteAllowance } from "../live/pace.ts";
import type { Operations } from "./operations.d.ts";

/** An operation of the API, as `METHOD /path` below /api. */
export type Op = keyof Operations;
/** What an operation takes: `path`, `query` and `body`, those that it has. */
export type Input<O extends Op> = Omit<Operations[O], "answer">;
/** The whole answer, with its envelope. */
export type Answer<O extends Op> = Operations[O]["answer"];
/** What the envelope holds. */
export type Data<O extends Op> = Answer<O> extends { data: infer D } ? D : never;
/** One row of a list. */
export type ListRow<O extends Op> = Data<O> extends readonly (infer R)[] ? R : never;
/** May be left out where nothing in it is needed. */
export type Given<O extends Op> = {} extends Input<O> ? [input?: Input<O>] : [input: Input<O>];

interface Parts {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
}
interface Fault {
  path: string;
  message: string;
}

interface RefusalError {
  code?: string;
  message?: string;
  details?: unknown;
}

/** What the API refused, in its own words; `faults` name the fields. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly faults: readonly Fault[];
  /** Milliseconds until it makes sense to ask again, where the answer says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, error: RefusalError | undefined, after?: string | null) {
    super(error?.message ?? WORDS[status] ?? `The server answered ${status}.`);
    this.status = status;
    this.code = error?.code ?? "";
    this.faults = Array.isArray(error?.details) ? (error.details as Fault[]) : [];
    const seconds = Number(after);
    this.retryAfter = after && Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  }
}
/** Whether it is out of this person's sight, whatever they saw of it before. */
export const isOutOfSight = (error: unknown): boolean => error instanceof Refusal && [403, 404].includes(error.status);

const WORDS: Record<number, string> = {
  429: "Too many requests; wait a little.",
  503: "The platform is busy; wait a little.",
};

/** The address of an operation with its parameters, for links, uploads and streams. */
export function addressOf(op: Op, { path = {}, query = {} }: Parts = {}): string {
  const place = op
    .slice(op.indexOf(" ") + 1)
    .replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(path[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== "") search.append(name, String(one));
  const asked = search.toString();
  return `/api${place}${asked && `?${asked}`}`;
}

export interface AskOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** A form with files, in place of a JSON body. */
  form?: FormData;
  /** A file that is sent as it is, in place of a JSON body; its `type` says what it is. */
  file?: Blob;
}

/**
 * Asks the API as whoever is signed in, by the session cookie. Throws a Refusal, or TypeError where the server cannot be
 * reached.
 */
export const ask = async <O extends Op>(op: O, input?: Input<O>, options?: AskOptions): Promise<Answer<O>> =>
  (await askLinked(op, input, options)).answer;

/** An answer, and the cursor of what follows it where its `Link` header names one (RFC 8288). */
export interface LinkedAnswer<O extends Op> {
  answer: Answer<O>;
  next: string | null;
}

/** The same for lists whose form, of another standard, has no place for what follows. */
export async function askLinked<O extends Op>(
  op: O,
  input?: Input<O>,
  options: AskOptions = {},
): Promise<LinkedAnswer<O>> {
  const { body, ...where } = (input ?? {}) as Parts;
  const { signal, form, file, headers } = options;
  const answer = await fetch(addressOf(op, where), {
    method: op.slice(0, op.indexOf(" ")),
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(file && { "content-type": file.type }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...((form ?? file) && { body: (form ?? file)! }),
    ...(signal && { signal }),
  });
  noteAllowance(answer.headers);
  if (answer.status === 204) return { answer: null as Answer<O>, next: null };
  const isJson = answer.headers.get("content-type")?.includes("json");
  const told = (isJson ? await answer.json() : undefined) as { error?: RefusalError } | undefined;
  if (!answer.ok) throw new Refusal(answer.status, told?.error, answer.headers.get("retry-after"));
  return { answer: told as Answer<O>, next: nextIn(answer.headers.get("link")) };
}

function nextIn(link: string | null): string | null {
  const following = link?.split(",").find((one) => one.includes('rel="next"'));
  return following ? new URLSearchParams(following.split(/[?>]/)[1]).get("cursor") : null;
}
