import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A stretch of wire to a server on loopback, which a test can cut, or freeze. */
export class Wire {
  readonly port: number;
  readonly #server;
  readonly #target: number;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  /** Connections taken while frozen: nobody has spoken to the server for them yet. */
  readonly #held = new Set<Socket>();
  #isCut = false;
  #isFrozen = false;
  #trap: { words: string; sprung: () => void } | undefined;
  /** Connections that came through so far. */
  count = 0;

  private constructor(server: ReturnType<typeof createServer>, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (near) => {
      if (this.#isCut) return void near.resetAndDestroy();
      near.on("error", () => {});
      this.count++;
      if (!this.#isFrozen) return this.#join(near);
      this.#held.add(near);
      near.once("close", () => this.#held.delete(near));
    });
  }

  #join(near: Socket): void {
    const far = connect(this.#target, "127.0.0.1");
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    far.on("error", () => {});
    far.setNoDelay(true).pipe(near);
    near.setNoDelay(true).on("data", (sent: Buffer) => {
      if (!far.write(sent)) {
        near.pause();
        far.once("drain", () => {
          if (!this.#isFrozen) near.resume();
        });
      }
      if (!this.#trap || !sent.includes(this.#trap.words)) return;
      const { sprung } = this.#trap;
      this.#trap = undefined;
      this.freeze();
      sprung();
    });
    near.once("end", () => far.end());
    for (const [one, other] of [pair, [far, near]] as const)
      one.once("close", () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
  }

  static async to(url: string): Promise<Wire> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Wire(server, Number(new URL(url).port));
  }

  /** The same address by way of this wire. */
  of(url: string): string {
    return url.replace(/127\.0\.0\.1:\d+|localhost:\d+/, `127.0.0.1:${this.port}`);
  }

  /** Ends every connection, whatever is on its way, and refuses new ones until it is mended. */
  cut(): void {
    this.#isCut = true;
    for (const near of this.#held) near.resetAndDestroy();
    for (const [near, far] of this.#pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /** Nothing passes any longer, on old connections or new ones, and nobody is told: what a partition looks like. */
  freeze(): void {
    this.#isFrozen = true;
    for (const [near, far] of this.#pairs) {
      near.pause();
      far.unpipe(near).pause();
    }
  }

  /**
   * Resolves once a client has sent these words: they arrive, and then the wire is frozen, so that their answer does
   * not.
   */
  meets(words: string): Promise<void> {
    return new Promise((sprung) => {
      this.#trap = { words, sprung };
    });
  }

  /** As before; what was on its way arrives now, late, as after a partition. */
  mend(): void {
    this.#isCut = false;
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    for (const [near, far] of this.#pairs) {
      near.resume();
      far.pipe(near);
    }
    for (const near of this.#held) this.#join(near);
    this.#held.clear();
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
