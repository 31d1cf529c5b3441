import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "node:http";
import { eventually } from "../mesh.ts";
import { itOnStage, meshOf, type MeshNode } from "../nodes.ts";

// Claim 8: nodes are replaced one after the other, under load, and no request fails. Several nodes of an area share its
// work evenly.

const ROLLS = Number(process.env["ROLLS"] ?? 3);
/** As long as the front below may need to see it on a machine that does other things as well. */
const DRAIN_SECONDS = 3;
const KNOWN = ["/api/sources", "/api/problem-sets/me"];
const mesh = meshOf(["identity,workspace,platform", "news", "gateway"], {
  knows: KNOWN,
  settings: { DRAIN_SECONDS: String(DRAIN_SECONDS) },
});

/**
 * What an orchestrator does: asks each gateway every 100 ms whether it is ready, and sends requests to those that are,
 * over connections kept open.
 */
class Front {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #token: string;
  ready: MeshNode[] = [];
  readonly failures: string[] = [];
  sent = 0;
  #next = 0;
  #ends = false;
  #work: Promise<unknown> | undefined;

  constructor(token: string) {
    this.#token = token;
  }

  start(writers: number): void {
    this.#work = Promise.all([this.#watch(), ...Array.from({ length: writers }, (_, writer) => this.#load(writer))]);
  }

  async stop(): Promise<void> {
    this.#ends = true;
    await this.#work;
    this.#agent.destroy();
  }

  /** Each by itself: one that is slow to answer must not keep back the news of another. */
  async #watch(): Promise<void> {
    const watches = new Map<MeshNode, Promise<void>>();
    while (!this.#ends) {
      for (const node of mesh.nodes.all)
        if (node.id.startsWith("gateway") && !watches.has(node)) watches.set(node, this.#probe(node));
      await pause(100);
    }
    await Promise.all(watches.values());
  }

  /** Goes by what the node itself says, also when it has been told to stop, and until it is gone. */
  async #probe(node: MeshNode): Promise<void> {
    for (let answers = true; !this.#ends && (answers || mesh.nodes.all.has(node));) {
      const status = await fetch(`${node.url}/health/ready`, {
        headers: { connection: "close" },
        signal: AbortSignal.timeout(1_000),
      }).then(
        (answer) => answer.status,
        () => 0,
      );
      answers = status > 0;
      this.ready = [...this.ready.filter((one) => one !== node), ...(status === 200 ? [node] : [])];
      await pause(100);
    }
  }

  /**
   * Writes what has no number of a counter: mongo-java-server's findOneAndUpdate is not atomic, and gives a number
   * twice now and then.
   */
  async #load(writer: number): Promise<void> {
    for (let n = 0; !this.#ends; n++) {
      if (!this.ready.length) {
        await pause(20);
        continue;
      }
      const to = this.ready[this.#next++ % this.ready.length]!;
      const [method, path, body] =
        n % 4
          ? ["GET", "/api/sources/lists?limit=5"]
          : ["POST", "/api/problem-sets", JSON.stringify({ name: `roll ${writer}.${n}` })];
      this.sent++;
      const status = await this.#ask(to, method!, path!, body);
      if (typeof status === "string" || status >= 400)
        this.failures.push(`${new Date().toISOString()} ${method} at ${to.id}: ${status}`);
      await pause(10);
    }
  }

  #ask(to: MeshNode, method: string, path: string, body?: string): Promise<number | string> {
    return new Promise((resolve) => {
      const req = request(
        to.url + path,
        {
          method,
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${this.#token}`,
            ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          },
        },
        (res) => {
          let text = "";
          res.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk;
          });
          res.once("end", () => resolve(res.statusCode! < 400 ? res.statusCode! : `${res.statusCode} ${text}`));
          res.once("error", (error) => resolve(error.message));
        },
      );
      req.once("error", (error) => resolve(error.message));
      req.end(body);
    });
  }
}

itOnStage(
  `${ROLLS} rolling restarts of gateways and areas under load fail no request`,
  async () => {
    const front = new Front(await mesh.nodes.token());
    front.start(6);
    for (let roll = 0; roll < ROLLS; roll++) {
      const areas = ["gateway", "news", "identity,workspace,platform"][roll % 3]!;
      const old = [...mesh.nodes.all].find(({ id }) => id.startsWith(areas.replaceAll(",", "-")))!;
      const fresh = await mesh.nodes.start(areas);
      if (areas === "gateway") {
        await mesh.nodes.knows(KNOWN, fresh);
        await eventually(
          () => front.ready,
          (ready) => ready.includes(fresh),
        );
      }
      const code = await old.stop();
      expect(code).toBe(0);
    }
    await front.stop();
    process.stderr.write(`${ROLLS} rolling restarts: ${front.sent} requests, ${front.failures.length} failed\n`);
    expect(front.failures).toEqual([]);
    expect(front.sent).toBeGreaterThan(ROLLS * 20);
  },
  60_000 + ROLLS * 60_000,
);
