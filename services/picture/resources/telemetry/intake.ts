import type { Actor } from "../../../../core/access/access.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { overloaded } from "../../../../core/problem.ts";
import type { Resource } from "../registry/resources.ts";
import { Alarming } from "./alarming.ts";
import { Checking } from "./checking.ts";
import { Moving } from "./moving.ts";
import type { Given } from "./points.ts";
import { ReadingBroadcast } from "./reading-broadcast.ts";
import type { RefusedReading } from "./reading-refusals.ts";

const POINT_BYTES = 64;

export interface IntakeResult {
  accepted: number;
  duplicates: number;
  replaced: number;
  failed: RefusedReading[];
}

/** What takes readings in on this node. */
export class Intake {
  /** What waits to be durable on this node at most: points, and bytes of them. */
  readonly most = { points: 200_000, bytes: 64 * 1_024 * 1_024 };
  readonly #host: Host;
  #waiting = 0;
  #bytes = 0;
  readonly #checking: Checking;
  readonly #alarming: Alarming;
  readonly #telling: ReadingBroadcast;
  readonly #moving: Moving;

  constructor(host: Host) {
    this.#host = host;
    this.#checking = new Checking(host);
    this.#alarming = new Alarming(host, this.#checking);
    this.#telling = new ReadingBroadcast(host, this.#checking);
    this.#moving = new Moving(host);
  }

  /** Points that are not durable yet. */
  get waiting(): number {
    return this.#waiting;
  }

  async close(): Promise<void> {
    this.#telling.close();
    await this.#moving.close();
  }

  /** Forgets what it knows of a resource: it changed, or is gone. */
  forget(resourceId: string): void {
    this.#checking.forget(resourceId);
  }

  /**
   * Takes readings in, each by itself; answers once those that are good are durable. Throws 503 while too many wait,
   * and has taken none then.
   */
  async take(actor: Actor, given: readonly Given[], bytes: number): Promise<IntakeResult> {
    if (this.#waiting + given.length > this.most.points || this.#bytes + bytes > this.most.bytes)
      throw overloaded("Too many readings wait to be stored; none of these was taken. Send them again.", 1);
    this.#waiting += given.length;
    this.#bytes += bytes;
    try {
      const failed: IntakeResult["failed"] = [];
      const points = await this.#checking.good(actor, given, failed);
      const { added, duplicates, replaced } = points.length
        ? await this.#host.world.readings.put(points)
        : { added: 0, duplicates: 0, replaced: 0 };
      await this.#alarming.watch(points);
      this.#telling.tell(points);
      this.#moving.note(points);
      return { accepted: added + replaced, duplicates, replaced, failed };
    } finally {
      this.#waiting -= given.length;
      this.#bytes -= bytes;
    }
  }

  static bytesOf(points: number): number {
    return points * POINT_BYTES;
  }

  /** Looks for resources that their readings did not bring to where they are. */
  lookForPlaces(): Promise<void> {
    return this.#moving.look();
  }

  /** Sees to what a resource's thresholds ask for since they were set. */
  setThresholds(resource: Resource): Promise<void> {
    return this.#alarming.setAnew(resource);
  }

  /** Looks for thresholds whose series fell silent. */
  lookForSilence(): Promise<void> {
    return this.#alarming.lookForSilence();
  }
}

export const intakeOf = (host: Host): Intake => (host as Host & { intake: Intake }).intake;
