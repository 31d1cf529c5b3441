import { HubRefusal } from "./hub.ts";
import { Unreachable } from "./link.ts";
import { FACT, hubStateOf, type EdgeNode, type HubState } from "../node.ts";
import { PACE, pause, type RetryPace } from "./retry-pace.ts";
import type { Round, Sync } from "./sync.ts";

/** So long after a change at the node others may join it on its way. */
const SOON_MS = 200;

/** Keeps a node in step with its hub, one round after the other, and slower the longer the hub is not there. */
export class Loop {
  readonly #node: EdgeNode;
  readonly #sync: Sync;
  readonly #pace: RetryPace;
  readonly #tell: (standing: HubState) => void;
  #running: Promise<Round> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isOn = false;

  /** `tell` hears each change of how node and hub stand. */
  constructor(node: EdgeNode, sync: Sync, tell: (standing: HubState) => void = () => {}, pace: RetryPace = PACE) {
    this.#node = node;
    this.#sync = sync;
    this.#tell = tell;
    this.#pace = pace;
  }

  /** From now on by itself; before, rounds are made when they are asked for. */
  start(): void {
    this.#isOn = true;
    this.#node.onChange = () => this.#soon();
    this.#after(0);
  }

  /** Waits for the round that is under way. */
  async stop(): Promise<void> {
    this.#isOn = false;
    clearTimeout(this.#timer);
    await this.#running?.catch(() => {});
  }

  /** A round now, or the one that is under way. Throws what stopped it. */
  now(): Promise<Round> {
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #round(): Promise<Round> {
    try {
      const round = await this.#sync.round();
      this.#failures = 0;
      this.#after(pause(0, Math.random(), this.#pace));
      await this.#stand("well");
      return round;
    } catch (error) {
      this.#failures++;
      const asked = error instanceof HubRefusal ? error.retryAfterMs : undefined;
      // First of all: a disk that takes no word of it must not end the loop.
      this.#after(pause(this.#failures, Math.random(), this.#pace, asked));
      await this.#failed(error);
      throw error;
    }
  }

  async #failed(error: unknown): Promise<void> {
    if (error instanceof Unreachable) return this.#stand("unreachable", undefined, error.message);
    if (!(error instanceof HubRefusal)) return this.#stand("waits", "INTERNAL", (error as Error).message);
    return this.#stand(error.passes ? "waits" : "refused", error.code, error.message);
  }

  async #stand(state: HubState["state"], code?: string, message?: string): Promise<void> {
    const known = await this.#node.store.look((rows) => rows.fact<HubState>(FACT.standing));
    if (known?.state === state && known.code === code && known.message === message) return;
    const standing = hubStateOf(this.#node.clock, state, code, message);
    await this.#node.store.change((rows) => rows.keepFact(FACT.standing, standing));
    this.#tell(standing);
  }

  /** While the hub is away, a change does not hasten the next round. */
  #soon(): void {
    if (!this.#failures) this.#after(SOON_MS);
  }

  #after(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isOn) this.#timer = setTimeout(() => void this.now().catch(() => {}), ms);
  }
}
