import type { Socket } from "node:net";

/**
 * Bytes that the kernel took, by Node's handle. A stream's own count moves with whole writes alone, of which one may be
 * all of an answer.
 */
export function bytesTaken(socket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } =
    (socket as unknown as { _handle?: { bytesWritten: number; writeQueueSize: number } })._handle ?? {};
  return bytesWritten - writeQueueSize;
}
