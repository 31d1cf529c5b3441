import type { Dispatcher } from "undici";
import { undici } from "../outbound/undici.ts";
import { WalletError, presentable } from "./errors.ts";

export interface RpcSettings {
  url: string;
  user: string;
  pass: string;
  /** Longest wait for one answer, in milliseconds. */
  timeoutMs: number;
}

/** Makes the signal that ends a call; tests make their own. */
export type DeadlineMaker = (milliseconds: number) => AbortSignal;

/** The list of received notes carries 1 KiB of memo a note, and cannot be asked for in pages. */
const LARGEST_ANSWER = 256 * 1024 * 1024;

/** Failures before a connection stood: nothing of the request can have been read. */
const BEFORE_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

interface Answer {
  result?: unknown;
  error?: { code?: unknown; message?: unknown } | null;
  id?: unknown;
}

/**
 * A JSON-RPC 1.0 client of one node over HTTP with basic authentication. It never repeats a call: only the caller knows
 * whether that is safe.
 */
export class Rpc {
  readonly #settings: RpcSettings;
  readonly #deadline: DeadlineMaker;
  readonly #reading = new (undici().Agent)({ connections: 4, keepAliveTimeout: 1_000, connect: { timeout: 5_000 } });
  /** One connection for each call: one that broke while idle cannot be confused with one that broke during the call. */
  readonly #acting = new (undici().Agent)({ pipelining: 0, keepAliveTimeout: 1, connect: { timeout: 5_000 } });
  readonly #authorization: string;
  #last = 0;

  constructor(settings: RpcSettings, deadline: DeadlineMaker) {
    this.#settings = settings;
    this.#deadline = deadline;
    this.#authorization = `Basic ${Buffer.from(`${settings.user}:${settings.pass}`, "utf8").toString("base64")}`;
  }

  /**
   * Calls and answers the result. Throws WalletError. @param acts whether the call has an effect, so that it matters
   * whether it was accepted
   */
  async call(method: string, params: readonly unknown[] = [], acts = false): Promise<unknown> {
    const id = ++this.#last;
    const { status, text } = await this.#post(method, JSON.stringify({ jsonrpc: "1.0", id, method, params }), acts);
    if (status === 401 || status === 403)
      throw new WalletError("unauthorized", "not-taken", `The wallet refuses our credentials (HTTP ${status}).`);
    const answer = this.#parse(method, status, text);
    if (answer.error) throw this.#refusal(method, answer.error);
    if (status !== 200 || answer.result === undefined || answer.id !== id) throw malformed(method, status);
    return answer.result;
  }

  async #post(method: string, body: string, acts: boolean): Promise<{ status: number; text: string }> {
    const signal = this.#deadline(this.#settings.timeoutMs);
    try {
      const response = await undici().request(this.#settings.url, {
        method: "POST",
        body,
        signal,
        dispatcher: acts ? this.#acting : this.#reading,
        reset: acts,
        headers: { authorization: this.#authorization, "content-type": "application/json" },
      });
      return { status: response.statusCode, text: await readBounded(method, response) };
    } catch (error) {
      throw this.#lost(method, error, signal);
    }
  }

  #lost(method: string, error: unknown, signal: AbortSignal): WalletError {
    if (error instanceof WalletError) return error;
    const code = (error as { code?: string } | null)?.code ?? "";
    if (BEFORE_CONNECTED.has(code))
      return new WalletError("unreachable", "not-taken", `The wallet cannot be reached (${code}).`);
    if (signal.aborted) return new WalletError("timeout", "unknown", `The wallet did not answer ${method} in time.`);
    return new WalletError("timeout", "unknown", `The connection to the wallet broke before it answered ${method}.`);
  }

  #parse(method: string, status: number, text: string): Answer {
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      throw malformed(method, status);
    }
    if (typeof answer !== "object" || answer === null || Array.isArray(answer)) throw malformed(method, status);
    return answer;
  }

  #refusal(method: string, { code, message }: NonNullable<Answer["error"]>): WalletError {
    if (typeof code !== "number" || typeof message !== "string") return malformed(method, 0);
    const words = presentable(message, [this.#settings.pass, this.#settings.user, this.#authorization]);
    return new WalletError("rpc", "not-taken", `The wallet refuses ${method}: ${words} (${code}).`, code);
  }

  async close(): Promise<void> {
    await Promise.all([this.#reading.destroy(), this.#acting.destroy()]);
  }
}

async function readBounded(method: string, { body, statusCode }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_ANSWER) throw malformed(method, statusCode);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** An unreadable answer counts as lost: the call may have been accepted. */
export const malformed = (method: string, status: number): WalletError =>
  new WalletError("malformed", "unknown", `The wallet's answer to ${method} is not of the protocol (HTTP ${status}).`);
