import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { OutboxMail } from "../adapters/mail.ts";
import { readEnv } from "../config/env.ts";
import { startMesh, type Mesh } from "../mesh/mesh.ts";
import { allServices } from "../services/index.ts";
import { inhabited, type Fleet, type Settings, type Traits } from "./apart.ts";
import type { Hands, Order, Report } from "./steered-node.ts";

/** A process that runs one area. */
class Steered {
  readonly letters: OutboxMail[] = [];
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  #count = 0;

  constructor(settings: Settings) {
    // Compiled once for all: it is half of what a process does until it stands.
    const env = {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../.cache/node"),
      ...settings,
    };
    this.#child = fork(join(import.meta.dirname, "steered-node.ts"), {
      execPath: process.execPath,
      env,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child.on("message", ({ done, answer, failed, letter }: Report) => {
      if (letter) this.letters.unshift(letter);
      if (done === undefined) return;
      const waiting = this.#waiting.get(done)!;
      this.#waiting.delete(done);
      if (failed === undefined) waiting.resolve(answer);
      else waiting.reject(new Error(failed));
    });
    this.#child.once("exit", (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`A node ended with ${code}.`));
    });
  }

  tell(order: Order): Promise<unknown> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, ...order }, (error) => {
        if (error) reject(error);
      });
    });
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => {
      this.#child.once("exit", resolve);
    });
    await this.tell({ stop: true });
    await gone;
  }
}

/**
 * Gateway and each area in a process of its own. The node in this process runs nothing: it speaks to the others over
 * the wire, as the test's hand.
 */
export async function startProcesses(
  settings: Settings,
  areas: readonly string[],
  { clock, extra, quiet }: Traits,
): Promise<Fleet> {
  if (extra.length)
    throw new Error(
      "APART=processes: a test's own services cannot run in other processes; tell this story without it.",
    );
  const name = settings["NODE_ID"] ?? randomBytes(4).toString("hex");
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value));
  const asked = await inhabited(areas);
  const processes = asked.map((area) => new Steered({ ...given, SERVICES: area, NODE_ID: `${name}-${area}` }));
  const advance = clock.advance.bind(clock);
  let inStep: Promise<unknown> = Promise.resolve();
  clock.advance = (milliseconds) => {
    advance(milliseconds);
    inStep = Promise.all([inStep, ...processes.map((one) => one.tell({ clock: handsOf(clock) }))]);
  };
  const everyone = (order: Order): Promise<unknown[]> => Promise.all(processes.map((one) => one.tell(order)));
  let hand: Mesh | undefined;
  const stop = async (): Promise<void> => {
    const [gateway, ...others] = processes;
    await gateway?.stop();
    await Promise.all([...others.map((one) => one.stop()), hand?.stop()]);
  };
  try {
    const [urls, own] = await Promise.all([
      everyone({ start: handsOf(clock) }),
      startMesh(readEnv({ ...settings, SERVICES: "knowledge", NODE_ID: `${name}-hand` }), { clock, quiet }),
    ]);
    hand = { ...own, url: urls.find((url) => typeof url === "string") };
    const services = (await allServices()).flatMap(({ area, service }) =>
      asked.includes(area) ? [service.name as string] : [],
    );
    await Promise.all([everyone({ know: services }), own.broker.waitForServices(services, 60_000, 20)]);
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return {
    nodes: [hand],
    stop,
    inStep: () => inStep,
    know: (services) => everyone({ know: services }),
    poke: () => void everyone({ poke: true }),
    letters: () => processes.flatMap(({ letters }) => letters),
  };
}

/** A clock that says the same twice stands; what a test waits for in real time, its nodes wait for too. */
const handsOf = (clock: Traits["clock"]): Hands => ({
  ahead: clock.now() - Date.now(),
  leapt: clock.leapt ?? 0,
  ...(clock.stands && { at: clock.now() }),
});
