import { unionOfCompartments } from "../../../../core/access/access.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import {
  MOST_AT_ONCE,
  MOST_RUN_STEPS,
  type MapStep,
  type StepDefinition,
  type Workflow,
} from "../workflows/definitions.ts";
import { definitionOf, Execution, inputOf, OVER, Step, STEP_OVER, type Known } from "./executions.ts";
import { cancelStep, inNameOf, MOST_OUTPUT, outputFields, recordId, US, type Ending } from "./records.ts";
import {
  beforeOf,
  itemScope,
  itemsOf,
  pathOf,
  resultOf,
  rootScope,
  setOutput,
  together,
  type Mapping,
  type Scope,
  type Standing,
} from "./scopes.ts";
import { failureOf, nextAttempt, take, waitedUntil, type Became } from "./stepping.ts";

const TICK_MS = 500;
/** Steps of one slice: then the job ends, and another goes on. */
const MOST_A_SLICE = 500;
const MOST_ATTEMPTS_KEPT = 10;
/** Kinds whose steps have a record before they end: something is begun elsewhere, or waited for. */
const NOTED = new Set(["tool", "agent", "round", "checkpoint", "wait", "map"]);
const STARTS_OTHERS = new Set(["tool", "agent", "round", "checkpoint"]);
/** Codes after which nothing else would pass either: the run was stopped, it did not fail. */
const STOPPING = new Set([
  "PERSON_GONE",
  "NOT_A_MEMBER",
  "FROZEN",
  "AGENT_DEACTIVATED",
  "CIRCUIT_OPEN",
  "AGENT_CHANGED",
  "DELEGATION_ENDED",
  "BUDGET",
]);

interface Flight {
  scope: Scope;
  id: string;
  path: string;
  controller: AbortController;
  done: Promise<void>;
}

/** A record that is not stored yet. */
type Draft = Omit<Step, "rev" | "createdAt" | "updatedAt" | "createdBy">;

/** A run as one job drives it on: what is known of it in memory follows from its records. */
export class Walk {
  readonly #host: Host;
  execution: Execution;
  readonly #records: Map<string, Known>;
  readonly #flights = new Map<string, Flight>();
  readonly #maps = new Map<string, Mapping>();
  readonly #waiting = new Set<Scope>();
  readonly #signal: AbortSignal;
  readonly #definition: Workflow;
  #count: number;
  #ended = 0;
  #wake: () => void = () => undefined;
  #fault: unknown;
  /** Set as soon as it is known how the run ends. */
  ending: Ending | undefined;

  constructor(host: Host, execution: Execution, steps: readonly Known[], signal: AbortSignal) {
    this.#host = host;
    this.execution = execution;
    this.#signal = signal;
    this.#records = new Map(steps.map((step) => [step.path, step]));
    this.#count = steps.length;
    const before = { compartments: execution.origin, isTainted: false };
    this.#enter(rootScope((this.#definition = definitionOf(execution)), inputOf(execution), before, this.#records));
  }

  get parked(): Step[] {
    return [...this.#records.values()].filter(({ status }) => !STEP_OVER.includes(status));
  }
  get isFull(): boolean {
    return this.#ended >= MOST_A_SLICE;
  }

  /** Looks at what was parked again, and goes on until nothing is under way. */
  async pump(): Promise<void> {
    const ticking = setInterval(() => this.#wake(), TICK_MS);
    try {
      this.#lookAgain();
      for (let looked = performance.now(); ;) {
        this.#launch();
        if (!this.#flights.size || this.ending || this.#fault) break;
        await new Promise<void>((resolve) => (this.#wake = resolve));
        if (performance.now() - looked < TICK_MS) continue;
        looked = performance.now();
        await this.#heed();
      }
      if (this.#fault) throw this.#fault;
    } finally {
      clearInterval(ticking);
      for (const { controller } of this.#flights.values()) controller.abort();
    }
  }

  /** Nothing is begun elsewhere for a run that was ended meanwhile. */
  async #isOver(): Promise<boolean> {
    const found = await this.#host.store(Execution).one(US, { _id: this.execution.id });
    const isOver = !found || OVER.includes(found.status);
    if (isOver) this.ending = { status: "cancelled" };
    return isOver;
  }

  /** Whether the run goes on: it may have been cancelled, woken, or used up its time meanwhile. */
  async #heed(): Promise<void> {
    this.#signal.throwIfAborted();
    const found = await this.#host.store(Execution).one(US, { _id: this.execution.id });
    if (!found || OVER.includes(found.status)) {
      this.ending = { status: "cancelled" };
      return;
    }
    const isWoken = found.rev !== this.execution.rev;
    this.execution = found;
    const now = this.#host.world.clock.now();
    const ran = found.ranMs + (found.runningSince ? now - Date.parse(found.runningSince) : 0);
    if (ran > found.limits.runMs)
      this.ending = {
        status: "stopped",
        code: "TIMEOUT",
        reason: `It was at work for longer than ${found.limits.runMs} ms.`,
      };
    this.#lookAgain(isWoken ? undefined : iso(now));
  }

  /** Takes up steps that are parked: all, or those that are due. */
  #lookAgain(dueBefore?: string): void {
    for (const record of this.parked) {
      if (this.#flights.has(record.path) || record.kind === "map") continue;
      const isPaused = record.status === "retrying" && (record.dueAt ?? "") > iso(this.#host.world.clock.now());
      if (isPaused || (dueBefore !== undefined && !(record.dueAt !== undefined && record.dueAt <= dueBefore))) continue;
      const scope = this.#scopeOf(record.path);
      if (scope && scope.joins.fate(localId(record.path)) === "begun") this.#fly(scope, localId(record.path), record);
    }
  }

  readonly #scopes = new Map<string, Scope>();
  #scopeOf(path: string): Scope | undefined {
    return this.#scopes.get(path.slice(0, path.lastIndexOf("/") + 1));
  }

  /** A scope comes into play, with the maps that were under way in it. */
  #enter(scope: Scope): void {
    this.#scopes.set(scope.prefix, scope);
    this.#waiting.add(scope);
    for (const id of scope.joins.left) void this.#leave(scope, id);
    for (const [id, fate] of scope.joins.fates) {
      const step = scope.graph.steps.get(id)!;
      if (step.kind === "map" && fate === "begun") this.#openMap(scope, step);
    }
    if (scope.joins.isOver) this.#over(scope);
  }

  #launch(): void {
    for (const scope of this.#waiting) {
      for (const id of [...scope.joins.ready]) {
        if (this.#flights.size >= MOST_AT_ONCE || this.isFull || this.ending) return;
        if (this.#count >= MOST_RUN_STEPS) {
          this.ending = { status: "stopped", code: "LIMIT", reason: `A run has ${MOST_RUN_STEPS} steps at the most.` };
          return;
        }
        this.#count += 1;
        scope.joins.begin(id);
        for (const left of scope.joins.left.splice(0)) void this.#leave(scope, left);
        this.#fly(scope, id);
      }
      if (!scope.joins.ready.size) this.#waiting.delete(scope);
    }
  }

  #fly(scope: Scope, id: string, record?: Step): void {
    const path = pathOf(scope, id);
    const controller = new AbortController();
    const flight: Flight = { scope, id, path, controller, done: Promise.resolve() };
    this.#flights.set(path, flight);
    flight.done = this.#step(flight, record)
      .catch((error: unknown) => {
        // Somebody was first, with the step or the run: what is stored is looked at anew.
        this.#fault ??= error;
      })
      .finally(() => {
        if (this.#flights.get(path) === flight) this.#flights.delete(path);
        this.#wake();
      });
  }

  async #step(flight: Flight, known: Step | undefined): Promise<void> {
    const { scope, id, path, controller } = flight;
    const host = this.#host;
    const definition = scope.graph.steps.get(id)!;
    const before = beforeOf(scope, id);
    const draft = this.#draft(path, definition, before);
    const record = known ? await this.#again(known) : await this.#noted(definition, draft);
    if (record) this.#records.set(path, record);
    if (definition.kind === "map") return this.#beginMap(scope, definition);
    if (STARTS_OTHERS.has(definition.kind) && (await this.#isOver())) return;
    const taking = {
      host,
      execution: this.execution,
      definition,
      path,
      values: scope.values,
      before,
      signal: controller.signal,
    };
    const begun = performance.now();
    const became = await take({ ...taking, record: record ?? (draft as Step) }).catch(failureOf);
    if (controller.signal.aborted || scope.joins.fate(id) !== "begun") return;
    await this.#became(flight, record ?? draft, became, { before, begun, isStored: record !== undefined });
  }

  /** A step that is looked at again; one that failed begins its next attempt. */
  async #again(known: Step): Promise<Step> {
    if (known.status !== "retrying") return known;
    const next = { status: "running", attempt: known.attempt + 1, dueAt: null };
    return this.#host.store(Step).revise(US, known, next);
  }

  /** The record of a step that begins something, stored before it does. */
  async #noted(definition: StepDefinition, draft: Draft): Promise<Step | undefined> {
    if (!NOTED.has(definition.kind) || isImmediate(definition)) return undefined;
    return (await this.#host.store(Step).createOnce(inNameOf(this.execution.by), draft)).record;
  }

  #draft(path: string, definition: StepDefinition, before: Standing): Draft {
    const { id: executionId, problemSetId, by } = this.execution;
    return {
      id: recordId(executionId, path),
      executionId,
      problemSetId,
      compartments: [...before.compartments],
      isTainted: before.isTainted,
      by,
      path,
      kind: definition.kind,
      status: "running" as const,
      ...("agent" in definition && { agentId: definition.agent }),
      ...("tool" in definition && { tool: definition.tool }),
      attempt: 1,
      attempts: [],
      waitedMs: 0,
      tokens: 0,
      startedAt: iso(this.#host.world.clock.now()),
    };
  }

  /** Writes down what became of a step, durably, before anything that follows begins. */
  async #became(
    { scope, id, path }: Flight,
    record: Step | Draft,
    became: Became,
    { before, begun, isStored }: { before: Standing; begun: number; isStored: boolean },
  ): Promise<void> {
    const definition = scope.graph.steps.get(id)!;
    const now = this.#host.world.clock.now();
    const closed = (became.fields?.compartments ?? []) as string[];
    const standing = together([
      before,
      ("standing" in became && became.standing) || { compartments: closed, isTainted: false },
    ]);
    const attempt = { n: record.attempt, at: record.startedAt, ms: Math.round(performance.now() - begun) };
    const ended = (status: "completed" | "failed") => ({
      status,
      endedAt: iso(now),
      ms: Math.max(0, now - Date.parse(record.startedAt)),
      waitedMs: waitedUntil(record as Step, now),
      ...(isStored && { waitingSince: null, dueAt: null }),
    });
    const attempts = [
      ...record.attempts,
      { ...attempt, ...("failed" in became && { code: became.failed, why: became.why.slice(0, 500) }) },
    ].slice(-MOST_ATTEMPTS_KEPT);
    const place = { compartments: [...standing.compartments], isTainted: standing.isTainted };
    const write = async (fields: Record<string, unknown>): Promise<Step> => {
      const stored = isStored
        ? await this.#host.store(Step).revise(US, record as Step, { ...became.fields, ...fields })
        : await this.#host.store(Step).create(inNameOf(this.execution.by), { ...record, ...became.fields, ...fields });
      this.#records.set(path, stored);
      return stored;
    };
    if ("parked" in became) {
      const isForPerson = became.parked !== "running" && definition.kind !== "wait";
      const since = (record as Step).waitingSince;
      const waited = waitedUntil(record as Step, now);
      const change = {
        ...became.fields,
        status: became.parked,
        dueAt: became.dueAt ?? null,
        waitedMs: isForPerson ? record.waitedMs : waited,
        waitingSince: isForPerson ? (since ?? iso(now)) : null,
      };
      if (
        Object.entries(change).some(
          ([field, value]) => (record as unknown as Record<string, unknown>)[field] !== (value ?? undefined),
        )
      )
        await write(change);
      return;
    }
    this.#ended += 1;
    if ("failed" in became) {
      const due =
        became.mayPass && definition.kind === "tool"
          ? nextAttempt(definition, record.attempt, became.retryAfterMs, now)
          : null;
      if (due) {
        await write({ status: "retrying", dueAt: due, attempts, code: became.failed, why: became.why });
        return;
      }
      return this.#failed(scope, id, { ...became, standing }, write, { ...ended("failed"), attempts, ...place });
    }
    const text = textOf(became.output);
    if (text.length > MOST_OUTPUT) {
      const failure = { failed: "TOO_LARGE", why: "What it came to is longer than 1 MiB.", standing };
      return this.#failed(scope, id, failure, write, { ...ended("failed"), attempts, ...place });
    }
    const value = await outputFields(this.#host, { ...(record as Step), ...place }, text);
    await write({
      ...ended("completed"),
      attempts,
      ...place,
      ...value,
      outcome: became.ended,
      ...(isStored && { code: null }),
    });
    setOutput(scope, id, became.output);
    await this.#settled(scope, id, became.ended, standing);
    if (definition.kind === "end") this.#finish(scope, definition);
  }

  async #failed(
    scope: Scope,
    id: string,
    { failed: code, why, standing }: { failed: string; why: string; standing: Standing },
    write: (fields: Record<string, unknown>) => Promise<Step>,
    fields: Record<string, unknown>,
  ): Promise<void> {
    const definition = scope.graph.steps.get(id)!;
    const told = { ...fields, code, why: why.slice(0, 2_000) };
    if (definition.onError === "default") {
      await write({ ...told, status: "completed", outcome: "done", text: textOf(definition.default) });
      setOutput(scope, id, definition.default);
      return this.#settled(scope, id, "done", standing);
    }
    if (definition.onError === "branch") {
      await write({ ...told, outcome: "error" });
      return this.#settled(scope, id, "error", standing);
    }
    await write(told);
    await this.#settled(scope, id, "failed", standing);
    this.#fail(scope, `${pathOf(scope, id)}: ${why}`, code);
  }

  /** A failure that nobody deals with is that of the map around it, or of the run. */
  #fail(scope: Scope, why: string, code: string): void {
    if (!scope.parent) {
      const status = STOPPING.has(code) ? "stopped" : code === "EXPIRED" ? "expired" : "failed";
      this.ending ??= { status, code, reason: why.slice(0, 2_000) };
      return;
    }
    const { parent } = scope;
    void this.#endMap(parent.scope, parent.step, { failed: code, why });
  }

  async #settled(
    scope: Scope,
    id: string,
    fate: Parameters<Scope["joins"]["end"]>[1],
    standing: Standing,
  ): Promise<void> {
    scope.standings.set(id, standing);
    if (!scope.joins.end(id, fate)) return;
    const known = this.execution.compartments;
    if (standing.compartments.some((one) => !known.includes(one))) {
      const closed = (run: Execution) => unionOfCompartments([run, { compartments: [...standing.compartments] }]);
      await this.#host
        .store(Execution)
        .amend(US, this.execution.id, (run) => (OVER.includes(run.status) ? null : { compartments: closed(run) }));
      this.execution = { ...this.execution, compartments: closed(this.execution) };
    }
    this.#waiting.add(scope);
    if (fate !== "failed" && scope.joins.isOver) this.#over(scope);
  }

  /** All steps of a scope have ended. */
  #over(scope: Scope): void {
    if (!scope.parent) {
      try {
        this.ending ??= { status: "completed", output: textOf(resultOf(scope, this.#definition.output)) };
      } catch (error) {
        this.ending ??= { status: "failed", code: "REFERENCE", reason: (error as Error).message };
      }
      return;
    }
    const failed = [...scope.joins.fates].find(([, fate]) => fate === "failed");
    if (failed) return this.#fail(scope, "A step of an item failed.", "ITEM");
    this.#itemDone(scope);
  }

  #finish(scope: Scope, end: Extract<StepDefinition, { kind: "end" }>): void {
    if (end.status === "failed") return this.#fail(scope, end.reason ?? "It ended as failed.", "ENDED");
    for (const { scope: of, id, controller } of this.#flights.values())
      if (of === scope && id !== end.id) controller.abort();
    this.#over(scope);
  }

  async #leave(scope: Scope, id: string): Promise<void> {
    const path = pathOf(scope, id);
    for (const [at, { controller }] of this.#flights)
      if (at === path || at.startsWith(`${path}[`)) {
        controller.abort();
        this.#flights.delete(at);
      }
    for (const record of this.parked)
      if (record.path === path || record.path.startsWith(`${path}[`)) {
        this.#records.set(record.path, { ...record, status: "cancelled" });
        await cancelStep(this.#host, record);
      }
    this.#maps.delete(path);
  }

  #openMap(scope: Scope, step: MapStep): void {
    const items = itemsOf(step, scope.values);
    const path = pathOf(scope, step.id);
    const mapping: Mapping = { scope, step, items, children: new Map(), results: [], done: 0, next: 0 };
    this.#maps.set(path, mapping);
    const begun = [...this.#records.keys()].flatMap((one) =>
      one.startsWith(`${path}[`) ? Number.parseInt(one.slice(path.length + 1), 10) : [],
    );
    const last = begun.length ? Math.max(...begun) : -1;
    for (; mapping.next <= last; mapping.next++) this.#enterItem(mapping, mapping.next);
    this.#nextItems(mapping);
  }

  #enterItem(mapping: Mapping, index: number): void {
    const child = itemScope(mapping.scope, mapping.step, mapping.items[index], index, this.#records);
    mapping.children.set(index, child);
    this.#enter(child);
  }

  #nextItems(mapping: Mapping): void {
    while (mapping.next < mapping.items.length && mapping.children.size < mapping.step.atOnce) {
      mapping.next += 1;
      this.#enterItem(mapping, mapping.next - 1);
    }
    if (mapping.done === mapping.items.length)
      void this.#endMap(mapping.scope, mapping.step, { output: mapping.results });
  }

  async #beginMap(scope: Scope, step: MapStep): Promise<void> {
    try {
      const items = itemsOf(step, scope.values);
      const room = MOST_RUN_STEPS - this.#count;
      if (items.length * step.steps.length > room)
        throw new TypeError(
          `${items.length} items of ${step.steps.length} steps are more than the ${room} that are left to the run.`,
        );
      this.#openMap(scope, step);
    } catch (error) {
      await this.#endMap(scope, step, {
        failed: error instanceof TypeError ? "MAP" : "REFERENCE",
        why: (error as Error).message,
      });
    }
  }

  #itemDone(child: Scope): void {
    const { scope, step, index } = child.parent!;
    const mapping = this.#maps.get(pathOf(scope, step.id));
    if (!mapping || !mapping.children.has(index)) return;
    try {
      mapping.results[index] = resultOf(child, step.output) ?? null;
    } catch (error) {
      return void this.#endMap(scope, step, { failed: "REFERENCE", why: (error as Error).message });
    }
    scope.standings.set(
      step.id,
      together([beforeOf(scope, step.id), scope.standings.get(step.id) ?? child.before, ...child.standings.values()]),
    );
    mapping.children.delete(index);
    this.#scopes.delete(child.prefix);
    mapping.done += 1;
    this.#nextItems(mapping);
  }

  /** Ends a map, with the items that it came to or a failure; under its own flight, so that the slice waits for it. */
  async #endMap(
    scope: Scope,
    step: MapStep,
    result: { output: unknown } | { failed: string; why: string },
  ): Promise<void> {
    const path = pathOf(scope, step.id);
    if (scope.joins.fate(step.id) !== "begun") return;
    const record = this.#records.get(path)!;
    const standing = scope.standings.get(step.id) ?? beforeOf(scope, step.id);
    this.#maps.delete(path);
    const work = async (): Promise<void> => {
      if ("failed" in result) {
        for (const [at, flight] of this.#flights) if (at.startsWith(`${path}[`)) flight.controller.abort();
        for (const one of this.parked)
          if (one.path.startsWith(`${path}[`)) {
            this.#records.set(one.path, { ...one, status: "cancelled" });
            await cancelStep(this.#host, one);
          }
      }
      const became: Became =
        "failed" in result ? { ...result, standing } : { ended: "done", output: result.output, standing };
      const flight = { scope, id: step.id, path, controller: new AbortController(), done: Promise.resolve() };
      await this.#became(flight, record, became, { before: standing, begun: performance.now(), isStored: true });
    };
    const key = `${path}#end`;
    const controller = new AbortController();
    const done = work()
      .catch((error: unknown) => {
        this.#fault ??= error;
      })
      .finally(() => {
        this.#flights.delete(key);
        this.#wake();
      });
    this.#flights.set(key, { scope, id: step.id, path: key, controller, done });
  }

  /** When something is to be looked at again by itself. */
  dueAt(): string | undefined {
    return this.parked.flatMap(({ dueAt }) => dueAt ?? []).sort()[0];
  }
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null);
const localId = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
/** Over at once: one record says it all. */
const isImmediate = (definition: StepDefinition): boolean => definition.kind === "wait" && definition.ms === 0;
