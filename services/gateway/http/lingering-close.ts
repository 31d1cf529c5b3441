import type { Socket } from "node:net";

/** Limits on what is still read of a refused request: bytes and times of one connection, and connections at once. */
export interface Bounds {
  bytes: number;
  /** Since the last byte came. */
  quietMs: number;
  totalMs: number;
  connections: number;
}

const BOUNDS: Bounds = { bytes: 64 * 2 ** 20, quietMs: 5_000, totalMs: 30_000, connections: 1_000 };

/**
 * Closes connections whose answer went out before the request was read to its end (RFC 9112, 9.6). Closing at once
 * would reset a client that is still writing, so it could not read its answer. Instead only our half is closed, and the
 * rest of the request is discarded until the client closes its half or a limit is reached.
 */
export class Lingering {
  readonly bounds: Bounds;
  /** Oldest first. */
  readonly #open = new Set<Socket>();

  constructor(bounds: Partial<Bounds> = {}) {
    this.bounds = { ...BOUNDS, ...bounds };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Call it after the whole answer was handed to the socket. */
  close(socket: Socket): void {
    if (socket.destroyed || this.#open.has(socket)) return;
    this.#makeRoom();
    this.#open.add(socket);
    const { bytes, quietMs, totalMs } = this.bounds;
    const end = (): void => void socket.destroy();
    const timer = setTimeout(end, totalMs).unref();
    socket.setTimeout(quietMs, end);
    socket.once("end", end);
    socket.once("close", () => {
      clearTimeout(timer);
      this.#open.delete(socket);
    });
    flowing(socket, () => throwAway(socket, bytes, end));
    socket.end();
  }

  /** One connection too many closes the one that has lingered longest. */
  #makeRoom(): void {
    const [longest] = this.#open;
    if (!longest || this.#open.size < this.bounds.connections) return;
    this.#open.delete(longest);
    longest.destroy();
  }
}

/**
 * A connection may be paused since nobody read the body, or about to resume. It is resumed by a listener of Node's
 * parser, which is removed with the parser: so pause and resume it once, and take it over then.
 */
function flowing(socket: Socket, then: () => void): void {
  socket.pause();
  socket.once("resume", then);
  socket.resume();
}

/** Detaches the connection from the parser: nothing that arrives now is ever read as a request. */
function throwAway(socket: Socket, most: number, tooMuch: () => void): void {
  const parsing = socket.listeners("data") as (() => void)[];
  let left = most;
  // Node's parser bypasses the socket's stream until somebody listens to the stream; from then on it is an ordinary
  // listener.
  socket.on("data", ({ length }: Buffer) => {
    left -= length;
    if (left < 0) tooMuch();
  });
  for (const listener of parsing) socket.removeListener("data", listener);
}
