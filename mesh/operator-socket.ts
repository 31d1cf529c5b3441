import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ServiceBroker } from "moleculer";
import type { Env } from "../config/env.ts";
import type { Meta } from "../core/access/caller.ts";
import { newRequestId } from "../core/ids.ts";
import type { Mesh } from "./mesh.ts";

/** What a node tells an operator first: its name, and what can be asked of it. */
export interface Greeting {
  node: string;
  services: { name: string; actions: { name: string; rest?: string }[] }[];
}
/** One question a line, and one answer; both as JSON. */
export interface OperatorRequest {
  id: number;
  action: string;
  params?: object;
  meta?: Meta;
}
export type OperatorReply = { id: number } & (
  | { value: unknown }
  | { error: { message: string; code?: number; type?: string; data?: unknown } }
);

const MOST_OPERATORS = 8;
const MOST_LINE_BYTES = 1_048_576;
/** Addresses of sockets are this short (unix(7), `sun_path`), on the shortest system. */
const LONGEST_ADDRESS = 103;

/** Where the node on a folder listens for its operators. */
export const operatorSocket = (dataDir: string): string => join(dataDir, "operator.sock");

/**
 * Lets whoever owns the data folder, and nobody else, ask a node that is alone: `npm run repl` joins by it. With a
 * transporter operators join the mesh, and a store in memory has no folder. Answers what ends it; what keeps it from
 * being opened is said, and no reason not to run.
 */
export async function serveOperators({ broker, world }: Mesh): Promise<() => void> {
  const path = addressFor(world.env);
  if (path === undefined) return () => {};
  if (Buffer.byteLength(path) > LONGEST_ADDRESS) {
    broker.logger.warn(`The path of DATA_DIR is too long for a socket: \`npm run repl\` finds nothing that runs.`);
    return () => {};
  }
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {}).once("close", () => open.delete(socket));
    attend(broker, socket);
  });
  server.maxConnections = MOST_OPERATORS;
  try {
    // Another node may work on a folder whose store is elsewhere.
    if (await isAnswered(path)) return () => {};
    rmSync(path, { force: true });
    // The folder's owner alone from its first moment on: the file is made under this mask, at once.
    const mask = process.umask(0o177);
    server.listen(path);
    process.umask(mask);
    await once(server, "listening");
    chmodSync(path, 0o600);
  } catch (error) {
    broker.logger.warn(`No socket for operators: ${(error as Error).message}`);
  }
  return () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
}

function addressFor({ TRANSPORTER, DATA_DIR }: Env): string | undefined {
  const isAlone = !TRANSPORTER && DATA_DIR !== ":memory:" && process.platform !== "win32";
  return isAlone ? operatorSocket(DATA_DIR) : undefined;
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path);
  const answered = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return answered;
}

function attend(broker: ServiceBroker, socket: Socket): void {
  const say = (line: Greeting | OperatorReply): void =>
    void (socket.writable && socket.write(`${JSON.stringify(line)}\n`));
  say(greetingOf(broker));
  let bytes = 0;
  socket.on("data", (chunk) => {
    bytes = chunk.includes(10) ? 0 : bytes + chunk.length;
    if (bytes > MOST_LINE_BYTES) socket.destroy();
  });
  // Lines tell the errors of their socket once more.
  createInterface({ input: socket })
    .on("error", () => {})
    .on("line", (line) => {
      void answerTo(broker, line).then(say, () => socket.destroy());
    });
}

async function answerTo(broker: ServiceBroker, line: string): Promise<OperatorReply> {
  const { id, action, params = {}, meta = {} } = JSON.parse(line) as OperatorRequest;
  try {
    const value = await broker.call(action, params, { meta, requestID: newRequestId() });
    return { id, value: value ?? null };
  } catch (error) {
    const { message, code, type, data } = error as Error & { code?: number; type?: string; data?: unknown };
    return {
      id,
      error: { message, ...(code && { code }), ...(type && { type }), ...(data !== undefined && { data }) },
    };
  }
}

function greetingOf(broker: ServiceBroker): Greeting {
  const services = broker.services.map(({ name, schema }) => ({
    name,
    actions: Object.entries(schema.actions ?? {}).map(([action, { rest }]: [string, any]) => ({
      name: action,
      ...(typeof rest === "string" && { rest }),
    })),
  }));
  return { node: broker.nodeID, services };
}
