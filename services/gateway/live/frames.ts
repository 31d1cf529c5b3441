import type { Socket } from "socket.io";
import type { Envelope } from "../../../core/contract/live.ts";
import { connectionOf, writeFrame } from "../../../mesh/private/engine-io.ts";
import { noteWrite } from "../http/write-bounds.ts";

export const NAMESPACE = "/live";

/** A message as it is sent, made once for all receivers. */
export interface Frame {
  /** The packet of the socket.io protocol (revision 5): type 2 (event), namespace, arguments. */
  packet: string;
  /** The same inside an Engine.IO message (type 4) inside one unmasked WebSocket text frame (RFC 6455 §5.2). */
  wire: Buffer;
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

/** Writes one frame to one receiver: the shared bytes where possible. */
export function sendFrame(socket: Socket, { packet, wire }: Frame): void {
  writeFrame(socket, packet, wire);
  const connection = connectionOf(socket);
  if (connection) noteWrite(connection);
}
