import type { ProposedCall } from "../gate/gate.ts";
import type { AgentAnswer, AnswerFinding, AgentStep } from "./executions.ts";

/** What an analysis reads, by tools through the gate, page by page. */
export const ANALYSIS_TOOLS: readonly string[] = ["list_missions", "list_gates", "list_documents"];
const A_PAGE = 100;
const MOST_PAGES = 10;

const rowsOf = ({ result }: Pick<AgentStep, "result">): unknown[] =>
  (result as { data?: unknown[] } | undefined)?.data ?? [];
const isDone = ({ status }: Pick<AgentStep, "status">): boolean => status === "done";
/** Whether a page of a tool's answer was full, so that there may be another. */
const isFull = (step: Pick<AgentStep, "status" | "result">): boolean => isDone(step) && rowsOf(step).length === A_PAGE;

type Read = Pick<AgentStep, "tool" | "status" | "result">;
/** The next page to read; undefined where all is read or refused. */
export function nextPage(steps: readonly Read[]): ProposedCall | undefined {
  for (const tool of ANALYSIS_TOOLS) {
    const pages = steps.filter((one) => one.tool === tool);
    const last = pages.at(-1);
    if (!last || (isFull(last) && pages.length < MOST_PAGES))
      return { tool, arguments: { limit: A_PAGE, page: pages.length + 1 } };
  }
  return undefined;
}

interface MissionRow {
  id: string;
  name: string;
  status: string;
  objective?: string;
  startsAt?: string;
  endsAt?: string;
}
interface GateRow {
  id: string;
  name: string;
  status: string;
  enforcement: string;
  deadline?: string;
  guards?: { kind: string; subject: string; step?: string };
}
interface DocumentRow {
  id: string;
  title: string;
  status: string;
}
/** The records of a problem set that the analysis may see. */
export interface Situation {
  missions: readonly MissionRow[];
  gates: readonly GateRow[];
  documents: readonly DocumentRow[];
}

const DAY_MS = 86_400_000;
const isOpen = ({ status }: GateRow): boolean => ["open", "submitted", "rejected", "escalated"].includes(status);
const passes = ({ status }: GateRow): boolean => status === "approved" || status === "overridden";
const mission = ({ id }: { id: string }) => ({ type: "mission", id });
const gate = ({ id }: { id: string }) => ({ type: "gate", id });

function gaps({ missions, gates, documents }: Situation): AnswerFinding[] {
  const active = missions.filter(({ status }) => status === "active" || status === "draft");
  return [
    ...active
      .filter(({ objective }) => !objective?.trim())
      .map((one) => ({
        kind: "gap" as const,
        severity: "medium" as const,
        text: `The mission "${one.name}" states no objective.`,
        evidence: [mission(one)],
      })),
    ...active
      .filter(({ endsAt }) => !endsAt)
      .map((one) => ({
        kind: "gap" as const,
        severity: "low" as const,
        text: `The mission "${one.name}" has no end.`,
        evidence: [mission(one)],
      })),
    ...gates
      .filter((one) => isOpen(one) && !one.deadline)
      .map((one) => ({
        kind: "gap" as const,
        severity: "low" as const,
        text: `The gate "${one.name}" has no deadline.`,
        evidence: [gate(one)],
      })),
    ...documents
      .filter(({ status }) => status === "unreadable")
      .map((one) => ({
        kind: "gap" as const,
        severity: "medium" as const,
        text: `The document "${one.title}" cannot be read.`,
        evidence: [{ type: "document", id: one.id }],
      })),
  ];
}

function overdue({ missions, gates }: Situation, now: number): AnswerFinding[] {
  return [
    ...missions
      .filter(({ status, endsAt }) => status === "active" && endsAt && Date.parse(endsAt) <= now)
      .map((one) => ({
        kind: "overdue" as const,
        severity: "high" as const,
        text: `The mission "${one.name}" is active past its end of ${one.endsAt}.`,
        evidence: [mission(one)],
      })),
    ...missions
      .filter(({ status, startsAt }) => status === "draft" && startsAt && Date.parse(startsAt) <= now)
      .map((one) => ({
        kind: "overdue" as const,
        severity: "medium" as const,
        text: `The mission "${one.name}" was to begin at ${one.startsAt} and is a draft.`,
        evidence: [mission(one)],
      })),
    ...gates
      .filter((one) => one.status === "expired")
      .map((one) => ({
        kind: "overdue" as const,
        severity: one.enforcement === "hard" ? ("high" as const) : ("medium" as const),
        text: `The gate "${one.name}" expired undecided.`,
        evidence: [gate(one)],
      })),
  ];
}

function risks({ missions, gates }: Situation, now: number): AnswerFinding[] {
  const soon = gates.filter(
    (one) => isOpen(one) && one.deadline && Date.parse(one.deadline) > now && Date.parse(one.deadline) - now <= DAY_MS,
  );
  const blocked = missions
    .filter(({ status }) => status === "active")
    .flatMap((one) => {
      const stopping = gates.filter(
        (other) => other.guards?.subject === one.id && other.enforcement === "hard" && !passes(other),
      );
      return stopping.length ? [{ one, stopping }] : [];
    });
  return [
    ...soon.map((one) => ({
      kind: "risk" as const,
      severity: one.status === "submitted" ? ("high" as const) : ("medium" as const),
      text: `The gate "${one.name}" is ${one.status}, and its deadline is within a day.`,
      evidence: [gate(one)],
    })),
    ...blocked.map(({ one, stopping }) => ({
      kind: "risk" as const,
      severity: "medium" as const,
      text:
        `The active mission "${one.name}" is stopped by ${stopping.length} hard ` +
        `gate${stopping.length > 1 ? "s" : ""}.`,
      evidence: [mission(one), ...stopping.map(gate)],
    })),
  ];
}

const stepOf = ({ guards }: GateRow): string => JSON.stringify([guards?.kind, guards?.subject, guards?.step ?? null]);

function contradictions({ missions, gates }: Situation): AnswerFinding[] {
  const guarding = Map.groupBy(
    gates.filter(({ guards }) => guards),
    stepOf,
  );
  const opposed = [...guarding.values()].filter(
    (group) => group.some(passes) && group.some(({ status }) => status === "rejected"),
  );
  const done = missions
    .filter(({ status }) => status === "completed")
    .flatMap((one) => {
      const open = gates.filter(
        (other) => other.guards?.subject === one.id && other.enforcement === "hard" && isOpen(other),
      );
      return open.length ? [{ one, open }] : [];
    });
  return [
    ...opposed.map((group) => ({
      kind: "contradiction" as const,
      severity: "high" as const,
      text:
        "One step is guarded by gates that were decided both ways: " +
        `${group.map(({ name }) => `"${name}"`).join(", ")}.`,
      evidence: group.map(gate),
    })),
    ...done.map(({ one, open }) => ({
      kind: "contradiction" as const,
      severity: "high" as const,
      text: `The mission "${one.name}" is completed, while a hard gate of it was never passed.`,
      evidence: [mission(one), ...open.map(gate)],
    })),
  ];
}

const SEVERITIES = ["high", "medium", "low"];

/** Gaps, risks, overdue items and contradictions, each with its records; the most severe first. */
export const findings = (situation: Situation, now: number): AnswerFinding[] =>
  [...overdue(situation, now), ...contradictions(situation), ...risks(situation, now), ...gaps(situation)].sort(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  );

/** What its counts are of: none found among what nobody looked at says nothing. */
function lookedAt(seen: readonly (readonly [string, readonly unknown[]])[]): string {
  const counted = seen.map(([kind, rows]) => {
    const many = `${rows.length} ${rows.length === 1 ? kind.slice(0, -1) : kind}`;
    return kind === "documents" ? `${many} (whether they can be read, not what they say)` : many;
  });
  return counted.length ? `it looked at ${counted.join(", ")}.` : "it looked at nothing.";
}
const notLookedAt = (unseen: readonly string[]): string =>
  `Not looked at, or not at all of them: ${unseen.map((tool) => tool.replace("list_", "")).join(", ")}.`;

/** The result of an analysis, from what its steps read. */
export function analysed(steps: readonly AgentStep[], now: number): AgentAnswer {
  const readBy = <T>(tool: string): T[] =>
    steps.filter((one) => one.tool === tool && isDone(one)).flatMap((one) => rowsOf(one) as T[]);
  const isRead = (tool: string): boolean => steps.some((one) => one.tool === tool && isDone(one));
  const situation = {
    missions: readBy<MissionRow>("list_missions"),
    gates: readBy<GateRow>("list_gates"),
    documents: readBy<DocumentRow>("list_documents"),
  };
  const found = findings(situation, now);
  const countOf = (kind: AnswerFinding["kind"]): number => found.filter((one) => one.kind === kind).length;
  const told = (kind: AnswerFinding["kind"]): string => `${countOf(kind)} ${kind}${countOf(kind) === 1 ? "" : "s"}`;
  const seen = Object.entries(situation).filter(([kind]) => isRead(`list_${kind}`));
  // Refused, or longer than the analysis reads.
  const unseen = ANALYSIS_TOOLS.filter((tool) => {
    const last = steps.findLast((one) => one.tool === tool);
    return !last || !isDone(last) || isFull(last);
  });
  const counts = `${told("gap")}, ${told("risk")}, ${countOf("overdue")} overdue, ${told("contradiction")}`;
  return {
    text: `${counts}: ${lookedAt(seen)}${unseen.length ? ` ${notLookedAt(unseen)}` : ""}`,
    method: "rules",
    citations: steps.filter(isDone).map(({ id }) => id),
    findings: found,
    seen: Object.fromEntries(seen.map(([kind, rows]) => [kind, rows.length])),
    ...(unseen.length && { unseen }),
  };
}
