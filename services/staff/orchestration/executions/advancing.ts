import { onBehalfOf } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { MOST_RUN_STEPS, type MapStep, type StepDefinition, type Workflow } from "../workflows/definitions.ts";
import type { Fate } from "../workflows/joins.ts";
import { definitionOf, inputOf, WorkflowStep, STEP_OVER, type Execution, type FullStep } from "./executions.ts";
import {
  attemptsOf,
  completed,
  dealtWith,
  endedChange,
  endingOf,
  failedChange,
  parkedChange,
  jsonText,
  type At,
  type Failed,
  type Flight,
} from "./step-drafts.ts";
import { cancelStep, closeTo, MOST_OUTPUT, outputFields, MESH, type Ending } from "./records.ts";
import {
  beforeOf,
  itemScope,
  itemsOf,
  lastBegun,
  pathOf,
  scopeResult,
  rootScope,
  setOutput,
  together,
  type Mapping,
  type WorkflowScope,
  type Provenance,
} from "./scopes.ts";
import { nextAttempt, type Became } from "./stepping.ts";
import { upTo } from "../../../../core/text/cutting.ts";

/** A run in memory, as its records describe it, and what follows when one of its steps ends. */
export class Advance {
  protected readonly host: Host;
  execution: Execution;
  /** Set as soon as the run's ending is known. */
  ending: Ending | undefined;
  protected readonly records: Map<string, FullStep>;
  protected readonly flights = new Map<string, Flight>();
  /** Scopes in which steps may begin. */
  protected readonly open = new Set<WorkflowScope>();
  protected readonly scopes = new Map<string, WorkflowScope>();
  protected count: number;
  protected ended = 0;
  protected fault: unknown;
  protected wake: () => void = () => undefined;
  /** Steps being stored; results that arrive meanwhile are processed afterwards. */
  protected storing: Promise<unknown> = Promise.resolve();
  readonly #maps = new Map<string, Mapping>();
  readonly #closing = new Set<string>();
  readonly #definition: Workflow;

  constructor(host: Host, execution: Execution, steps: readonly FullStep[]) {
    this.host = host;
    this.execution = execution;
    this.records = new Map(steps.map((step) => [step.path, step]));
    this.count = steps.length;
    this.#definition = definitionOf(execution);
    const before = { compartments: execution.origin, isTainted: false };
    this.#enter(rootScope(this.#definition, inputOf(execution), before, this.records));
  }

  get parked(): FullStep[] {
    return [...this.records.values()].filter(({ status }) => !STEP_OVER.includes(status));
  }

  /**
   * Does something concurrently; a slice waits for it. If it throws, the slice ends and the stored state is read again.
   */
  protected track(path: string, work: (signal: AbortSignal) => Promise<void>): void {
    const flight: Flight = { path, controller: new AbortController() };
    this.flights.set(path, flight);
    void work(flight.controller.signal)
      .catch((error: unknown) => {
        this.fault ??= error;
      })
      .finally(() => {
        if (this.flights.get(path) === flight) this.flights.delete(path);
        this.wake();
      });
  }

  /** Restores a scope from its records, with its maps that were under way. */
  #enter(scope: WorkflowScope): void {
    this.scopes.set(scope.prefix, scope);
    this.open.add(scope);
    this.leaveAll(scope);
    for (const [id, fate] of scope.joins.fates) {
      const step = scope.graph.steps.get(id)!;
      const record = this.records.get(pathOf(scope, id));
      if (fate === "failed") return this.fail(scope, `${pathOf(scope, id)}: ${record?.why ?? ""}`, record?.code ?? "");
      if (step.kind === "end" && fate === "done") return this.#finish(scope, step);
      if (step.kind === "map" && fate === "begun") this.#openMap(scope, step);
    }
    if (scope.joins.isOver) this.over(scope);
  }

  /** Cancels steps that no join needs any more. */
  protected leaveAll(scope: WorkflowScope): void {
    for (const id of scope.joins.left.splice(0)) this.#leave(scope, id);
  }

  #leave(scope: WorkflowScope, id: string): void {
    const path = pathOf(scope, id);
    const isOf = (one: string): boolean => one === path || one.startsWith(`${path}[`);
    this.#closing.add(path);
    this.#maps.delete(path);
    for (const [prefix, inner] of this.scopes)
      if (isOf(prefix)) {
        this.scopes.delete(prefix);
        this.open.delete(inner);
      }
    for (const [at, { controller }] of this.flights)
      if (isOf(at)) {
        controller.abort();
        this.flights.delete(at);
      }
    const left = this.parked.filter((record) => isOf(record.path));
    for (const record of left) this.records.set(record.path, { ...record, status: "cancelled" });
    if (left.length)
      this.track(`${path}#left`, async () => {
        for (const record of left) await cancelStep(this.host, record);
      });
  }

  /** Stores the result of a step durably, before anything that follows begins. */
  protected async became(at: At, became: Became, begun: number): Promise<void> {
    const { scope, id, record, isStored } = at;
    const definition = scope.graph.steps.get(id)!;
    const now = this.host.world.clock.now();
    if ("parked" in became) {
      const change = parkedChange(record, became, definition.kind === "wait", now);
      if (change) await this.#write(at, change);
      return;
    }
    this.ended += 1;
    const attempts = attemptsOf(record, became, Math.round(performance.now() - begun), now);
    if ("failed" in became) {
      const isAgain = became.mayPass && definition.kind === "tool";
      const dueAt = isAgain ? nextAttempt(definition, record.attempt, became.retryAfterMs, now) : null;
      if (dueAt)
        return void (await this.#write(at, {
          ...became.fields,
          status: "retrying",
          dueAt,
          attempts,
          ...failedChange(became),
        }));
    }
    const standing = together([beforeOf(scope, id), ...(became.standing ? [became.standing] : [])]);
    const change = { ...became.fields, ...endedChange(record, { standing, attempts, isStored, now }) };
    if ("failed" in became) return this.#failed(at, became, standing, change);
    const text = jsonText(became.output);
    if (text.length > MOST_OUTPUT) {
      const failure = { failed: "TOO_LARGE", why: "What it came to is longer than 1 MiB." };
      return this.#failed(at, failure, standing, change);
    }
    const value = await outputFields(this.host, { ...record, compartments: change.compartments }, text);
    await this.#write(at, {
      ...change,
      ...value,
      status: "completed",
      outcome: became.ended,
      ...(isStored && { code: null }),
    });
    setOutput(scope, id, became.output);
    await this.#settle(scope, id, became.ended, standing);
    if (definition.kind === "end") this.#finish(scope, definition);
  }

  async #write({ scope, id, record, isStored }: At, fields: Record<string, unknown>): Promise<void> {
    const steps = this.host.store(WorkflowStep);
    const stored = isStored
      ? await steps.revise(MESH, record as FullStep, fields)
      : await steps.create(onBehalfOf("orchestration", this.execution.by), { ...record, ...fields });
    this.records.set(pathOf(scope, id), stored);
  }

  /** A failure ends the run, follows the edges for errors, or is replaced by a default value. */
  async #failed(
    at: At,
    failure: Pick<Failed, "failed" | "why">,
    standing: Provenance,
    change: Record<string, unknown>,
  ): Promise<void> {
    const { scope, id } = at;
    const { fields, fate, output } = dealtWith(scope.graph.steps.get(id)!, failure);
    await this.#write(at, { ...change, ...fields });
    if (fate === "done") setOutput(scope, id, output);
    await this.#settle(scope, id, fate, standing);
    if (fate === "failed") this.fail(scope, `${pathOf(scope, id)}: ${failure.why}`, failure.failed);
  }

  /** A failure that is not handled becomes that of the surrounding map, or of the run. */
  protected fail(scope: WorkflowScope, why: string, code: string): void {
    const { parent } = scope;
    if (parent) return this.#endMap(parent.scope, parent.step, { failed: code, why });
    this.ending ??= { status: endingOf(code), code, reason: upTo(2_000, why) };
  }

  async #settle(scope: WorkflowScope, id: string, fate: Exclude<Fate, "begun">, standing: Provenance): Promise<void> {
    await this.storing;
    scope.standings.set(id, standing);
    if (!scope.joins.end(id, fate)) return;
    this.execution = await closeTo(this.host, this.execution, standing.compartments);
    this.open.add(scope);
    if (fate !== "failed" && scope.joins.isOver) this.over(scope);
  }

  /** All steps of a scope have ended. */
  protected over(scope: WorkflowScope): void {
    if (scope.parent) return this.#itemDone(scope);
    this.ending ??= completed(scope, this.#definition.output);
  }

  /** An end step ends its scope, whatever else is under way there. */
  #finish(scope: WorkflowScope, end: Extract<StepDefinition, { kind: "end" }>): void {
    if (end.status === "failed") return this.fail(scope, end.reason ?? "It ended as failed.", "ENDED");
    this.open.delete(scope);
    for (const [id, fate] of scope.joins.fates) if (fate === "begun") this.#leave(scope, id);
    this.over(scope);
  }

  protected beginMap(scope: WorkflowScope, step: MapStep): void {
    try {
      const items = itemsOf(step, scope.values);
      const room = MOST_RUN_STEPS - this.count;
      const wanted = items.length * step.steps.length;
      if (wanted > room)
        throw new TypeError(
          `Its ${items.length} items would take ${wanted} steps; ${room} of ${MOST_RUN_STEPS} are left to the run.`,
        );
      this.#openMap(scope, step);
    } catch (error) {
      const code = error instanceof TypeError ? "MAP" : "REFERENCE";
      this.#endMap(scope, step, { failed: code, why: (error as Error).message });
    }
  }

  #openMap(scope: WorkflowScope, step: MapStep): void {
    const path = pathOf(scope, step.id);
    const items = itemsOf(step, scope.values);
    const mapping: Mapping = { scope, step, items, children: new Map(), results: [], done: 0, next: 0 };
    this.#maps.set(path, mapping);
    const last = lastBegun(path, this.records);
    while (mapping.next <= last) this.#nextItem(mapping);
    this.#nextItems(mapping);
  }

  #nextItem(mapping: Mapping): void {
    const index = mapping.next++;
    const child = itemScope(mapping.scope, mapping.step, mapping.items[index], index, this.records);
    mapping.children.set(index, child);
    this.#enter(child);
  }

  #nextItems(mapping: Mapping): void {
    while (mapping.next < mapping.items.length && mapping.children.size < mapping.step.atOnce) this.#nextItem(mapping);
    if (mapping.done === mapping.items.length) this.#endMap(mapping.scope, mapping.step, { output: mapping.results });
  }

  #itemDone(child: WorkflowScope): void {
    const { scope, step, index } = child.parent!;
    const mapping = this.#maps.get(pathOf(scope, step.id));
    if (!mapping?.children.delete(index)) return;
    this.scopes.delete(child.prefix);
    this.open.delete(child);
    try {
      mapping.results[index] = scopeResult(child, step.output) ?? null;
    } catch (error) {
      return this.#endMap(scope, step, { failed: "REFERENCE", why: (error as Error).message });
    }
    mapping.standing = together([mapping.standing ?? child.before, ...child.standings.values()]);
    mapping.done += 1;
    this.#nextItems(mapping);
  }

  /** Ends a map, once, with its items' results or a failure. */
  #endMap(scope: WorkflowScope, step: MapStep, result: { output: unknown } | { failed: string; why: string }): void {
    const path = pathOf(scope, step.id);
    const standing = this.#maps.get(path)?.standing ?? beforeOf(scope, step.id);
    if (this.#closing.has(path) || scope.joins.fate(step.id) !== "begun") return;
    this.#closing.add(path);
    if ("failed" in result) {
      const record = this.records.get(path);
      this.records.delete(path);
      this.#leave(scope, step.id);
      if (record) this.records.set(path, record);
    }
    this.#maps.delete(path);
    const became: Became = "failed" in result ? { ...result, standing } : { ended: "done", ...result, standing };
    this.track(`${path}#end`, () =>
      this.became({ scope, id: step.id, record: this.records.get(path)!, isStored: true }, became, performance.now()),
    );
  }
}
