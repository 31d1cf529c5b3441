import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Chain, type ChainTransaction } from "./stand-in-chain.ts";
import { Node, type OperationFault } from "./stand-in-node.ts";
import { CODES, RpcFault } from "./stand-in-operations.ts";

/**
 * How a call fails. `reset`, `silence`, `busy` and `garbage` come in two kinds: before the node acts on the call, and
 * after, when its answer is lost. `late` is silence too, but the call lies in the node's queue and is acted on when
 * `deliver` is called.
 */
export type Fault =
  | "unauthorized"
  | "warming-up"
  | "late"
  | `${"reset" | "silence" | "busy" | "garbage"}-${"before" | "after"}`
  | { code: number; message: string };

export interface StandInSettings {
  seed?: number;
  user?: string;
  pass?: string;
  /** Height of the chain at the start; default 200. */
  height?: number;
  /** Works on operations after every call by itself, as a node does: for demonstrations. Else `work` does. */
  auto?: boolean;
}

/** A payment out of the wallet, as the world sees it. */
export interface Paid {
  txid: string;
  address: string;
  amount: string;
  memo: string;
  confirmations: number;
}

export interface StandIn {
  readonly url: string;
  readonly user: string;
  readonly pass: string;
  readonly tAddress: string;
  readonly zAddress: string;
  /** Methods that were called, oldest first, those that failed included. */
  readonly calls: string[];
  readonly node: Node;
  readonly chain: Chain;
  /** The next calls of a method (`*`: of any) fail so; each once. */
  fail(method: string, ...faults: Fault[]): void;
  failOperation(fault: OperationFault): void;
  /** Told whenever a call is met with silence. */
  onSilence(listener: () => void): void;
  /** Acts on the calls that came late. Answers how many there were. */
  deliver(): number;
  /** Money from outside to the transparent address; waits to be mined. Answers the transaction's id. */
  deposit(zatoshi: string): string;
  /** A note from outside to the shielded address. */
  sendNote(zatoshi: string, memo: string): string;
  mine(blocks?: number, options?: { reward?: bigint }): void;
  /** Works one step on the operations. */
  work(): ChainTransaction | null;
  /** Works until no operation is left. */
  settle(): void;
  restart(options?: { powerLoss?: boolean }): void;
  /** All payments to others that anybody can know of, mined or waiting. */
  payments(): Paid[];
  /** Stops listening, as a node that is down, and listens again at the same address. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

interface Asked {
  id: unknown;
  method: string;
  params: readonly unknown[];
}

const LARGEST_REQUEST = 1024 * 1024;

/**
 * A shielded wallet's node over HTTP on loopback, with basic authentication: transparent and shielded balances,
 * coinbase and its maturity, ZIP 317 fees, operations that are queued, worked on and forgotten in a restart, memos,
 * confirmations, expiry, reorganisations, and every way to fail that the real one (zcashd 6) has. The same seed gives
 * the same run.
 */
export async function walletStandIn({
  seed = 1,
  user = "escrow",
  pass = "stand-in",
  height = 200,
  auto = false,
}: StandInSettings = {}): Promise<StandIn> {
  const chain = new Chain(seed, height);
  const node = new Node(chain);
  const faults = new Map<string, Fault[]>();
  const late: Asked[] = [];
  const calls: string[] = [];
  const expected = Buffer.from(`Basic ${Buffer.from(`${user}:${pass}`).toString("base64")}`);
  let silent: () => void = () => undefined;
  let port = 0;

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request);
    if (request.method !== "POST") return reply(response, 405, "JSONRPC server handles only POST requests");
    if (!isAuthorized(request.headers.authorization)) return refuseCredentials(response);
    const asked = parse(body);
    if (!asked)
      return sendJson(response, 500, { result: null, error: { code: CODES.parse, message: "Parse error" }, id: null });
    calls.push(asked.method);
    const fault = faults.get(asked.method)?.shift() ?? faults.get("*")?.shift();
    if (fault) fail(fault, asked, response);
    else answer(asked, response);
    if (auto) node.work();
  }

  const isAuthorized = (given: string | undefined): boolean => {
    const got = Buffer.from(given ?? "");
    return got.length === expected.length && timingSafeEqual(got, expected);
  };

  function act({ method, params }: Asked): {
    status: number;
    result: unknown;
    error: { code: number; message: string } | null;
  } {
    try {
      return { status: 200, result: node.call(method, params), error: null };
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      return {
        status: error.code === CODES.unknownMethod ? 404 : 500,
        result: null,
        error: { code: error.code, message: error.message },
      };
    }
  }

  function answer(asked: Asked, response: ServerResponse): void {
    const { status, result, error } = act(asked);
    sendJson(response, status, { result, error, id: asked.id });
  }

  function fail(fault: Fault, asked: Asked, response: ServerResponse): void {
    if (typeof fault === "object") return sendJson(response, 500, { result: null, error: fault, id: asked.id });
    if (fault === "unauthorized") return refuseCredentials(response);
    if (fault === "warming-up")
      return sendJson(response, 500, {
        result: null,
        error: { code: CODES.warmup, message: "Loading block index..." },
        id: asked.id,
      });
    if (fault.endsWith("-after")) act(asked);
    if (fault === "late") late.push(asked);
    if (fault.startsWith("reset")) return void response.socket?.resetAndDestroy();
    if (fault.startsWith("busy")) return reply(response, 500, "Work queue depth exceeded");
    if (fault.startsWith("garbage")) return reply(response, 200, '{"result": "opid-', "application/json");
    silent();
  }

  async function listen(): Promise<void> {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  }

  async function down(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    user,
    pass,
    tAddress: chain.tAddress,
    zAddress: chain.zAddress,
    calls,
    node,
    chain,
    fail(method, ...added) {
      faults.set(method, [...(faults.get(method) ?? []), ...added]);
    },
    failOperation: (fault) => node.failOperation(fault),
    onSilence(listener) {
      silent = listener;
    },
    deliver() {
      const delivered = late.splice(0);
      for (const asked of delivered) act(asked);
      return delivered.length;
    },
    deposit: (zatoshi) => chain.add({ transparent: [{ address: chain.tAddress, amount: BigInt(zatoshi) }] }).txid,
    sendNote: (zatoshi, memo) =>
      chain.add({ shielded: [{ address: chain.zAddress, amount: BigInt(zatoshi), memo, change: false }] }).txid,
    mine: (blocks, options) => chain.mine(blocks, options),
    work: () => node.work(),
    settle() {
      while (node.busy) node.work();
    },
    restart(options) {
      late.length = 0;
      node.restart(options);
    },
    payments: () =>
      chain
        .all()
        .filter((transaction) => transaction.own && chain.depth(transaction) >= 0)
        .flatMap((transaction) =>
          transaction.shielded
            .filter(({ address }) => address !== chain.zAddress)
            .map(({ address, amount, memo }) => ({
              txid: transaction.txid,
              address,
              amount: String(amount),
              memo,
              confirmations: chain.depth(transaction),
            })),
        ),
    down,
    up: listen,
    close: down,
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_REQUEST) throw new RangeError("The request is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(body: string): Asked | null {
  try {
    const { id, method, params = [] } = JSON.parse(body) as Partial<Asked>;
    return typeof method === "string" && Array.isArray(params) ? { id, method, params } : null;
  } catch {
    return null;
  }
}

function reply(response: ServerResponse, status: number, text: string, type = "text/plain"): void {
  response.writeHead(status, { "content-type": type }).end(text);
}

const sendJson = (response: ServerResponse, status: number, value: object): void =>
  reply(response, status, `${JSON.stringify(value)}\n`, "application/json");

function refuseCredentials(response: ServerResponse): void {
  response.writeHead(401, { "www-authenticate": 'Basic realm="jsonrpc"' }).end();
}
