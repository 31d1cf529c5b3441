import { isDeepStrictEqual } from "node:util";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { type Actor } from "../../../../core/access/access.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { newRequestId, sha256 } from "../../../../core/ids.ts";
import { inWords, isAway, isNotFound, isProblem, nullIf } from "../../../../core/problem.ts";
import type { Definition } from "./definitions.ts";
import type { ActingRun } from "./gate.ts";
import { underWatch, Withdrawn } from "./watch.ts";

const LONGEST_PLAIN = 64;

/** The outcome of an act. */
export interface Effect {
  status: "done" | "simulated" | "failed" | "unknown";
  result?: unknown;
  code?: string;
  why?: string;
  /** How long the failing server asked us to wait. */
  retryAfterMs?: number;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isPlain = (text: string): boolean => text.length <= LONGEST_PLAIN && /^[\w:.-]*$/.test(text);
/** Names of fields that must not be shown, however short their values are. */
const SECRET = /pass(?:word|phrase)|secret|token$|api_?key|credential|authorization|\bpin\b/i;
const hidden = (text: string): string => `[${text.length} characters, sha256 ${sha256(text).slice(0, 12)}]`;

/** Ids, numbers and protocol words are shown as they are, texts and names only as length and hash. */
export function redacted(value: unknown, isSecret = false): unknown {
  if (typeof value === "string") return isPlain(value) && !isSecret ? value : hidden(value);
  if (Array.isArray(value)) return value.map((one) => redacted(one, isSecret));
  if (!isObject(value)) return isSecret && value !== null ? hidden(String(value)) : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      isPlain(key) ? key : hidden(key),
      redacted(one, isSecret || SECRET.test(key)),
    ]),
  );
}

/**
 * The compartments of an answer: those that it names; where it names none, all that the agent may read, since its
 * origin is unknown. Outside all problem sets there are none.
 */
export function answerCompartments(
  result: unknown,
  actor: Actor,
  { endpoint }: Pick<Definition, "endpoint">,
): string[] {
  if (!endpoint.contract.within) return [];
  const all = (): string[] => Object.values(actor.memberships ?? {}).flatMap(({ compartments }) => [...compartments]);
  const rows = isObject(result) && Array.isArray(result["data"]) ? (result["data"] as unknown[]) : [result];
  const says = (row: unknown): boolean => isObject(row) && Array.isArray(row["compartments"]);
  return rows.every(says) ? unionOfCompartments(rows as { compartments: string[] }[]) : all().sort();
}

interface Calling {
  actor: Actor;
  timeout: number;
  repeats?: string;
  signal?: AbortSignal;
}
/** Calls an action; when the signal aborts, the called service is cancelled as if a client had disconnected. */
function calling(
  host: Host,
  action: string,
  params: object,
  { actor, timeout, repeats, signal }: Calling,
): Promise<unknown> {
  const requestID = newRequestId();
  const abandon = (): unknown => host.broker.broadcast("gateway.request.abandoned", { requestId: requestID });
  signal?.addEventListener("abort", abandon, { once: true });
  const meta = { actor, ...(repeats !== undefined && { repeats }) };
  return host.broker
    .call(action, params, { meta, timeout, requestID })
    .finally(() => signal?.removeEventListener("abort", abandon));
}

/** Whether an act that was cut off took effect, as far as a read can tell; null where there is nothing to read. */
export async function happened(
  host: Host,
  { probe, timeoutMs }: Definition,
  final: Record<string, unknown>,
  actor: Actor,
): Promise<boolean | null> {
  if (!probe) return null;
  const { [probe.by]: id, ...others } = final;
  const record = await calling(host, probe.action, { [probe.by]: id }, { actor, timeout: timeoutMs }).catch(
    nullIf(isNotFound),
  );
  const { problemSetId: _place, reason: _reason, note: _note, ...told } = others;
  const wanted = probe.shows === "arguments" ? told : probe.shows;
  return isObject(record) && Object.entries(wanted).every(([field, value]) => isDeepStrictEqual(record[field], value));
}

function failed(error: unknown): Effect {
  if (!isProblem(error)) return { status: "failed", code: "INTERNAL", why: inWords(error) };
  const seconds = Number(error.data?.headers?.["Retry-After"]);
  const pause = seconds > 0 && { retryAfterMs: seconds * 1_000 };
  return { status: "failed", code: error.type, why: inWords(error), ...pause };
}

/**
 * Carries out an act that passed the gate, as the actor that the gate made, under the step's name. Rejects where
 * something is unavailable and the act may be repeated harmlessly; an act that may have taken effect unnoticed is
 * `unknown`.
 */
export async function carryOutAct(
  host: Host,
  definition: Definition,
  { run, final, actor, step }: { run: ActingRun; final: Record<string, unknown>; actor: Actor; step: string },
): Promise<Effect> {
  const { action, carries, timeoutMs: timeout, resultBytes } = definition;
  try {
    const result = await underWatch(host, run, (signal) =>
      carries
        ? carries(host, final, { actor, key: step, signal })
        : calling(host, action, final, { actor, timeout, repeats: step, signal }),
    );
    if ((JSON.stringify(result) ?? "").length > resultBytes)
      return {
        status: definition.effect === "read" ? "failed" : "done",
        code: "TOO_LARGE",
        why: `The answer is longer than ${resultBytes} bytes.`,
      };
    return { status: isObject(result) && result["simulated"] === true ? "simulated" : "done", result };
  } catch (error) {
    // A deliberate refusal means that it had no effect.
    if (isProblem(error) && error.code < 500) return failed(error);
    if (error instanceof Withdrawn && definition.effect === "read")
      return { status: "failed", code: error.code, why: error.message };
    if (definition.effect === "once" || error instanceof Withdrawn || (carries && definition.effect !== "read"))
      return { status: "unknown", code: "UNKNOWN", why: "Whether it happened, nobody knows." };
    if (definition.effect === "probed" && (await happened(host, definition, final, actor)))
      return { status: "done", why: "It was seen to have happened." };
    if (isAway(error)) throw error;
    return failed(error);
  }
}
