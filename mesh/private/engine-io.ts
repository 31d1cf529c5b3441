import type { Socket as Connection } from "node:net";
import type { Socket } from "socket.io";

// What engine.io and ws have under a socket of socket.io and do not promise. See ADR 39.

const QUEUE = Symbol("queue");
/** Bytes in engine.io's own queue. Its list is replaced whenever it is emptied; then they are counted anew. */
interface Queue {
  list: unknown;
  bytes: number;
}

interface WebSocket {
  bufferedAmount: number;
  terminate?(): void;
  _socket?: Connection;
  _sender?: { sendFrame?(list: Buffer[]): void };
}

/** A connection of engine.io, as far as it is looked at here. */
export interface Engine {
  on(event: "packet", listener: () => void): unknown;
  close(discard: boolean): void;
  readyState: string;
  upgrading: boolean;
  upgraded: boolean;
  writeBuffer: { length: number };
  transport: { name: string; writable: boolean; socket?: WebSocket };
  write(data: string, options: { compress: false }): unknown;
  [QUEUE]?: Queue;
}

const engineOf = (socket: Socket): Engine => socket.conn as unknown as Engine;

/** Bytes and packets that wait for a consumer: engine.io counts neither. */
export function backlogOf(socket: Socket): { bytes: number; packets: number } {
  const { transport, writeBuffer, [QUEUE]: queue } = engineOf(socket);
  return {
    bytes: (transport.socket?.bufferedAmount ?? 0) + (queue?.list === writeBuffer ? queue.bytes : 0),
    packets: writeBuffer.length,
  };
}

/**
 * Writes a packet of socket.io's, whose bytes as a WebSocket frame are `wire`. Where nothing is queued and the
 * transport is a WebSocket, these go out as they are, past engine.io's encoding, which would be done for each receiver;
 * otherwise the packet takes its turn in engine.io's queue.
 */
export function writeFrame(socket: Socket, packet: string, wire: Buffer): void {
  const engine = engineOf(socket);
  const sender = engine.transport.socket?._sender;
  const straight =
    engine.readyState === "open" &&
    !engine.upgrading &&
    engine.transport.name === "websocket" &&
    engine.transport.writable &&
    engine.writeBuffer.length === 0;
  if (straight && typeof sender?.sendFrame === "function") return sender.sendFrame([wire]);
  engine.write(packet, { compress: false });
  queued(engine, wire.length);
}

function queued(engine: Engine, bytes: number): void {
  const { writeBuffer } = engine;
  if (!writeBuffer.length) return;
  if (engine[QUEUE]?.list !== writeBuffer) engine[QUEUE] = { list: writeBuffer, bytes: 0 };
  engine[QUEUE]!.bytes += bytes;
}

/** The connection under a WebSocket; none where the client polls. */
export const connectionOf = (socket: Socket): Connection | undefined => engineOf(socket).transport.socket?._socket;

/**
 * Ends a connection at once, with all that waits in it: socket.io would have it said farewell, and who does not read
 * hears none.
 */
export const terminate = (socket: Socket): void => hangUp(engineOf(socket));

function hangUp(engine: Engine): void {
  if (engine.transport.socket?.terminate) engine.transport.socket.terminate();
  else engine.close(true);
}

/**
 * Ends a client that sends on while more packets than these wait for it: each asks for an answer, and no limit of
 * socket.io's sees it.
 */
export function boundQueue(engine: Engine, packets: number): void {
  engine.on("packet", () => {
    if (engine.writeBuffer.length > packets) hangUp(engine);
  });
}
