import type { Socket as Connection } from "node:net";
import type { Socket } from "socket.io";
import type { Envelope } from "../../../core/contract/live.ts";
import { wrote } from "../http/write-bounds.ts";

export const NAMESPACE = "/live";

/** A message as its receivers get it, made once for all of them. */
export interface Frame {
  /** The packet of the socket.io protocol (revision 5): type 2 (event), namespace, arguments. */
  packet: string;
  /** The same inside an Engine.IO message (type 4) inside one unmasked WebSocket text frame (RFC 6455 §5.2). */
  wire: Buffer;
}

const QUEUE = Symbol("queue");
/** Bytes in engine.io's own queue. Its list is replaced whenever it is emptied; then they are counted anew. */
interface Queue { list: unknown; bytes: number }

/** What engine.io has under a socket, as far as it is looked at here. */
export interface Engine {
  on(event: "packet", listener: () => void): unknown;
  close(discard: boolean): void;
  readyState: string;
  upgrading: boolean;
  upgraded: boolean;
  writeBuffer: { length: number };
  transport: { name: string; writable: boolean; socket?: { bufferedAmount: number; terminate?(): void; _socket?: Connection; _sender?: { sendFrame?(list: Buffer[]): void } } };
  write(data: string, options: { compress: false }): unknown;
  [QUEUE]?: Queue;
}

export function frameOf(event: string, envelope: Envelope): Frame {
  const packet = `2${NAMESPACE},${JSON.stringify([event, envelope])}`;
  const payload = Buffer.from(`4${packet}`);
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x81;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  else if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return { packet, wire: Buffer.concat([head, payload]) };
}

/** Bytes and packets that wait for a consumer. */
export function backlogOf(socket: Socket): { bytes: number; packets: number } {
  const engine = socket.conn as unknown as Engine;
  const { transport, writeBuffer, [QUEUE]: queue } = engine;
  return { bytes: (transport.socket?.bufferedAmount ?? 0) + (queue?.list === writeBuffer ? queue.bytes : 0), packets: writeBuffer.length };
}

function queued(engine: Engine, bytes: number): void {
  const { writeBuffer } = engine;
  if (!writeBuffer.length) return;
  if (engine[QUEUE]?.list !== writeBuffer) engine[QUEUE] = { list: writeBuffer, bytes: 0 };
  engine[QUEUE]!.bytes += bytes;
}

/**
 * Writes one frame to one receiver. Where nothing is queued and the transport is a WebSocket, the bytes made for all go out as they
 * are, by the door that engine.io itself uses for frames made beforehand; otherwise they take their turn in its queue.
 */
export function write(socket: Socket, { packet, wire }: Frame): void {
  const engine = socket.conn as unknown as Engine;
  const sender = engine.transport.socket?._sender;
  const straight = engine.readyState === "open" && !engine.upgrading && engine.transport.name === "websocket" && engine.transport.writable && engine.writeBuffer.length === 0;
  if (straight && typeof sender?.sendFrame === "function") sender.sendFrame([wire]);
  else {
    engine.write(packet, { compress: false });
    queued(engine, wire.length);
  }
  const connection = engine.transport.socket?._socket;
  if (connection) wrote(connection);
}

/** Ends a connection at once, with all that waits in it: whoever does not read hears no farewell either. */
export const terminate = (socket: Socket): void => hangUp(socket.conn as unknown as Engine);

export function hangUp(engine: Engine): void {
  if (engine.transport.socket?.terminate) engine.transport.socket.terminate();
  else engine.close(true);
}
