import { setTimeout as pause } from "node:timers/promises";
import { Wire } from "../cut.ts";
import type { MeshNode, Nodes, Stage } from "../nodes.ts";
import { Dice } from "../simulation.ts";

/** A node on wires of its own, which another takes the place of when it is gone. */
export class Member {
  readonly areas: string;
  node!: MeshNode;
  readonly #stage: Stage;
  readonly #nodes: Nodes;
  #wires: Record<string, Wire> = {};

  constructor(stage: Stage, nodes: Nodes, areas: string) {
    this.#stage = stage;
    this.#nodes = nodes;
    this.areas = areas;
  }

  get isThere(): boolean {
    return this.#nodes.all.has(this.node);
  }

  async start(): Promise<void> {
    this.#wires = { TRANSPORTER: await Wire.to(this.#stage.redis.url), MONGO_URL: await Wire.to(this.#stage.mongo) };
    this.node = await this.#nodes.start(this.areas, {}, this.#wires);
  }

  async #unwired(): Promise<void> {
    await Promise.all(Object.values(this.#wires).map((wire) => wire.stop()));
  }

  async kill(): Promise<void> {
    await this.node.kill();
    await this.#unwired();
  }

  /** Answers the process's exit code. */
  async stop(): Promise<number | null> {
    const code = await this.node.stop();
    await this.#unwired();
    return code;
  }

  async without(what: "TRANSPORTER" | "MONGO_URL", way: "cut" | "freeze", milliseconds: number): Promise<void> {
    const wire = this.#wires[what]!;
    wire[way]();
    await pause(milliseconds);
    wire.mend();
  }

  async still(milliseconds: number): Promise<void> {
    this.node.pause();
    await pause(milliseconds);
    this.node.resume();
  }
}

/** Whole seconds between these, drawn anew at each call, in milliseconds. */
type Span = (least: number, most: number) => number;
type Fault = (victim: Member, span: Span, stage: Stage) => Promise<unknown>;

const FAULTS: readonly (readonly [what: string, fault: Fault])[] = [
  [
    "is killed",
    async (victim) => {
      await victim.kill();
      await victim.start();
    },
  ],
  [
    "is replaced",
    async (victim) => {
      const code = await victim.stop();
      if (code !== 0)
        throw new Error(`${victim.node.id} was asked to stop and ended with ${code}:\n${victim.node.log}`);
      await victim.start();
    },
  ],
  ["stands still", (victim, span) => victim.still(span(1, 12))],
  ["stands still for longer than its leases", (victim, span) => victim.still(span(22, 26))],
  ["is cut off from Redis", (victim, span) => victim.without("TRANSPORTER", "cut", span(1, 8))],
  ["hears nothing from Redis", (victim, span) => victim.without("TRANSPORTER", "freeze", span(2, 15))],
  ["is cut off from its documents", (victim, span) => victim.without("MONGO_URL", "cut", span(1, 8))],
  ["hears nothing from its documents", (victim, span) => victim.without("MONGO_URL", "freeze", span(2, 15))],
  [
    "works on while Redis stands still for all",
    async (_victim, span, { redis }) => {
      await redis.pause();
      await pause(span(1, 3));
      await redis.resume();
    },
  ],
];
const MOST_BETWEEN_MS = 3_000;

/** One thing after the other goes wrong with these, in the order of a seed, with a moment between; answers what did. */
export async function strike(
  stage: Stage,
  victims: readonly Member[],
  seed: number,
  ends: () => boolean,
): Promise<string[]> {
  const dice = new Dice(seed),
    span: Span = (least, most) => 1_000 * (least + dice.below(most - least + 1));
  const told: string[] = [];
  while (!ends()) {
    const victim = dice.pick(victims),
      [what, fault] = dice.pick(FAULTS),
      began = new Date().toISOString();
    const name = victim.node.id;
    await fault(victim, span, stage);
    told.push(`${began} to ${new Date().toISOString()}: ${name} ${what}`);
    await pause(dice.below(MOST_BETWEEN_MS));
  }
  return told;
}
