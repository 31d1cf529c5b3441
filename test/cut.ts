import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A stretch of wire to a server on loopback, which a test can cut. */
export class Wire {
  readonly port: number;
  readonly #server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;
  /** Connections that came through so far. */
  count = 0;

  private constructor(server: ReturnType<typeof createServer>, target: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (near) => {
      if (this.#isCut) return void near.resetAndDestroy();
      this.count++;
      const far = connect(target, "127.0.0.1");
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      for (const [from, to] of [[near, far], [far, near]] as const) {
        from.setNoDelay(true).on("error", () => {}).pipe(to);
        from.once("close", () => { this.#pairs.delete(pair); to.destroy(); });
      }
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
    for (const [near, far] of this.#pairs) { near.resetAndDestroy(); far.resetAndDestroy(); }
  }

  mend(): void {
    this.#isCut = false;
  }

  /** Nothing passes any longer, and nobody is told: what a partition looks like. */
  freeze(): void {
    for (const [near, far] of this.#pairs) { near.unpipe(far).pause(); far.unpipe(near).pause(); }
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
