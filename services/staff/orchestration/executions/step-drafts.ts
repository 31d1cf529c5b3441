import { iso } from "../../../../core/clock.ts";
import { STOPPING } from "../../agents/client.ts";
import type { StepDefinition } from "../workflows/definitions.ts";
import type { Execution, FullStep, WorkflowStep } from "./executions.ts";
import { recordId, type Ending } from "./records.ts";
import { pathOf, placeIn, scopeResult, type WorkflowScope, type Provenance } from "./scopes.ts";
import { waitedUntil, type Became } from "./stepping.ts";
import { upTo } from "../../../../core/text/cutting.ts";

const MOST_ATTEMPTS_KEPT = 10;
const LONGEST_WHY = 2_000;

/** A record that is not stored yet. */
export type StepDraft = Omit<WorkflowStep, "rev" | "createdAt" | "updatedAt" | "createdBy">;
export type Failed = Extract<Became, { failed: string }>;
type Parked = Extract<Became, { parked: string }>;

/** Work under way. */
export interface Flight {
  path: string;
  controller: AbortController;
}
/** A step, its position, and its record: stored, or a draft. */
export interface At {
  scope: WorkflowScope;
  id: string;
  record: FullStep | StepDraft;
  isStored: boolean;
}

/** Kinds whose steps have a record before they end: they begin something elsewhere, or wait. */
const NOTED = new Set<StepDefinition["kind"]>(["tool", "agent", "round", "checkpoint", "wait", "map"]);
/** A step that ends at once needs one record only. */
export const isNoted = (definition: StepDefinition): boolean =>
  NOTED.has(definition.kind) && !(definition.kind === "wait" && definition.ms === 0);

export const jsonText = (value: unknown): string => JSON.stringify(value ?? null);

export const draftOf = (
  { id: executionId, problemSetId, by }: Execution,
  scope: WorkflowScope,
  definition: StepDefinition,
  before: Provenance,
  now: number,
): StepDraft => ({
  id: recordId(executionId, pathOf(scope, definition.id), placeIn(scope, definition.id)),
  executionId,
  problemSetId,
  compartments: [...before.compartments],
  isTainted: before.isTainted,
  by,
  path: pathOf(scope, definition.id),
  kind: definition.kind,
  status: "running",
  ...("agent" in definition && { agentId: definition.agent }),
  ...("tool" in definition && { tool: definition.tool }),
  attempt: 1,
  attempts: [],
  waitedMs: 0,
  tokens: 0,
  startedAt: iso(now),
});

/** The change of a step that waits, or continues elsewhere; null where nothing has changed. */
export function parkedChange(record: StepDraft, became: Parked, isMoment: boolean, now: number) {
  const isForPerson = became.parked !== "running" && !isMoment;
  const change: Record<string, unknown> = {
    ...became.fields,
    status: became.parked,
    dueAt: became.dueAt ?? null,
    waitedMs: isForPerson ? record.waitedMs : waitedUntil(record, now),
    waitingSince: isForPerson ? (record.waitingSince ?? iso(now)) : null,
  };
  const known = record as unknown as Record<string, unknown>;
  return Object.entries(change).some(([field, value]) => (known[field] ?? null) !== (value ?? null)) ? change : null;
}

/** The attempts of a step including the one that has just ended. */
export const attemptsOf = (record: StepDraft, became: Became, ms: number, now: number): WorkflowStep["attempts"] =>
  [
    ...record.attempts,
    {
      n: record.attempt,
      at: iso(now - ms),
      ms,
      ...("failed" in became && { code: became.failed, why: upTo(500, became.why) }),
    },
  ].slice(-MOST_ATTEMPTS_KEPT);

/** The fields of every step that has ended. */
export const endedChange = (
  record: StepDraft,
  {
    standing,
    attempts,
    isStored,
    now,
  }: { standing: Provenance; attempts: WorkflowStep["attempts"]; isStored: boolean; now: number },
) => ({
  endedAt: iso(now),
  ms: Math.max(0, now - Date.parse(record.startedAt)),
  waitedMs: waitedUntil(record, now),
  attempts,
  compartments: [...standing.compartments],
  isTainted: standing.isTainted,
  ...(isStored && { waitingSince: null, dueAt: null }),
});

export const failedChange = ({ failed, why }: Pick<Failed, "failed" | "why">) => ({
  code: failed,
  why: upTo(LONGEST_WHY, why),
});

/** How a failure is handled: by a default value, by the edges for errors, or not at all. */
export function dealtWith(
  definition: StepDefinition,
  failure: Pick<Failed, "failed" | "why">,
): { fields: Partial<WorkflowStep>; fate: "done" | "error" | "failed"; output?: unknown } {
  const told = failedChange(failure);
  if (definition.onError === "default") {
    const text = jsonText(definition.default);
    const fields = { ...told, status: "completed", outcome: "done", text } as const;
    return { fields, fate: "done", output: definition.default };
  }
  return definition.onError === "branch"
    ? { fields: { ...told, status: "failed", outcome: "error" }, fate: "error" }
    : { fields: { ...told, status: "failed" }, fate: "failed" };
}

/** How a run ends after an unhandled failure. */
export const endingOf = (code: string): "stopped" | "expired" | "failed" =>
  STOPPING.has(code) ? "stopped" : code === "EXPIRED" ? "expired" : "failed";

/** How a run ends when all its steps have ended. */
export function completed(scope: WorkflowScope, template: unknown): Ending {
  try {
    return { status: "completed", output: jsonText(scopeResult(scope, template)) };
  } catch (error) {
    return { status: "failed", code: "REFERENCE", reason: (error as Error).message };
  }
}
