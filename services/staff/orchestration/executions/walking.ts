import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { StepDefinition } from "../workflows/definitions.ts";
import { closeRun } from "../../agents/client.ts";
import { Beginning } from "./beginning.ts";
import { Execution, OVER, WorkflowStep, type FullStep } from "./executions.ts";
import { draftOf } from "./step-drafts.ts";
import { ranUntil, MESH, type Ending } from "./records.ts";
import { beforeOf, pathOf, type WorkflowScope } from "./scopes.ts";
import { failureOf, takeStep, type Became } from "./stepping.ts";

const TICK_MS = 500;
/** Kinds that begin something elsewhere, which must not happen after the run was ended. */
const REACHING = new Set(["tool", "agent", "round", "checkpoint"]);

const localId = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The ending of a run that was active for too long. */
export const outOfTime = ({ limits }: Pick<Execution, "limits">): Ending => ({
  status: "stopped",
  code: "TIMEOUT",
  reason: `It was at work for longer than ${limits.runMs} ms.`,
});

/** A run as one job drives it. */
export class Walk extends Beginning {
  readonly #signal: AbortSignal;

  constructor(host: Host, execution: Execution, steps: readonly FullStep[], signal: AbortSignal) {
    super(host, execution, steps);
    this.#signal = signal;
  }

  /** When it must be checked again without an event. */
  get dueAt(): string | undefined {
    return this.parked.flatMap(({ dueAt }) => dueAt ?? []).sort()[0];
  }

  /** Checks parked steps, and continues until nothing is under way. */
  async pump(): Promise<void> {
    const ticking = setInterval(() => this.wake(), TICK_MS);
    try {
      this.#lookAgain();
      for (let looked = performance.now(); ;) {
        const woken = new Promise<void>((resolve) => (this.wake = resolve));
        const hasBegun = await this.begin();
        if (this.ending || this.fault || !(hasBegun || this.flights.size)) break;
        if (!hasBegun) await woken;
        if (performance.now() - looked < TICK_MS) continue;
        looked = performance.now();
        await this.#heed();
      }
      if (this.fault) throw this.fault;
    } finally {
      clearInterval(ticking);
      for (const { controller } of this.flights.values()) controller.abort();
    }
  }

  /** The run as stored; where it has ended, nothing more begins. */
  async #goingOn(): Promise<Execution | null> {
    const found = await this.host.store(Execution).one(MESH, { _id: this.execution.id });
    if (found && !OVER.includes(found.status)) return found;
    this.ending = { status: "cancelled" };
    return null;
  }

  /** It may have been cancelled, woken, or run out of time meanwhile, on any node. */
  async #heed(): Promise<void> {
    this.#signal.throwIfAborted();
    const found = await this.#goingOn();
    if (!found) return;
    const isWoken = found.rev !== this.execution.rev;
    this.execution = found;
    const now = this.host.world.clock.now();
    if (ranUntil(found, now) > found.limits.runMs) this.ending ??= outOfTime(found);
    this.#lookAgain(isWoken ? undefined : iso(now));
  }

  /** Checks parked steps: all, or those that are due. */
  #lookAgain(due?: string): void {
    const now = iso(this.host.world.clock.now());
    for (const record of this.parked) {
      const { path, status, dueAt = "" } = record;
      const isPaused = status === "retrying" && dueAt > now;
      const isDue = due === undefined || (dueAt !== "" && dueAt <= due);
      if (record.kind === "map" || this.flights.has(path) || isPaused || !isDue) continue;
      const id = localId(path);
      const scope = this.scopes.get(path.slice(0, -id.length));
      if (scope?.joins.fate(id) === "begun") this.fly(scope, id, record);
    }
  }

  protected fly(scope: WorkflowScope, id: string, record?: FullStep): void {
    this.track(pathOf(scope, id), (signal) => this.#step(scope, id, record, signal));
  }

  async #step(scope: WorkflowScope, id: string, known: FullStep | undefined, signal: AbortSignal): Promise<void> {
    const { host, execution } = this;
    const definition = scope.graph.steps.get(id)!;
    const path = pathOf(scope, id);
    const before = beforeOf(scope, id);
    const stored = known && (await this.#again(known));
    if (stored) this.records.set(path, { ...known, ...stored });
    if (definition.kind === "map") return this.beginMap(scope, definition);
    if (REACHING.has(definition.kind) && !(await this.#goingOn())) return;
    const record = stored ?? draftOf(execution, scope, definition, before, host.world.clock.now());
    const begun = performance.now();
    const taking = { host, execution, definition, path, values: scope.values, before, record, signal };
    const became = await takeStep(taking).catch(failureOf);
    const isNeeded = !this.ending && scope.joins.fate(id) === "begun";
    if (!isNeeded) return this.#abandon(definition, became);
    // The slice ends, the run continues: its next driver finds what was begun here.
    if (signal.aborted) return;
    await this.became({ scope, id, record, isStored: stored !== undefined }, became, begun);
  }

  /** Ends a task that was begun for a step which is no longer needed. */
  async #abandon({ kind }: StepDefinition, { fields }: Became): Promise<void> {
    if ((kind === "agent" || kind === "round") && fields?.runId)
      await closeRun(this.host, fields.runId, {
        status: "stopped",
        reason: "The workflow has no use for it any longer.",
      });
  }

  /** A step checked again; a failed one begins its next attempt. */
  async #again(known: FullStep): Promise<WorkflowStep> {
    if (known.status !== "retrying") return known;
    const attemptAt = iso(this.host.world.clock.now());
    const next = { status: "running", attempt: known.attempt + 1, attemptAt, dueAt: null };
    return this.host.store(WorkflowStep).revise(MESH, known, next);
  }
}
