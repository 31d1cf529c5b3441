import { useEffect, useState, type ReactNode } from "react";
import type { Data } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { CLASS_WORDS } from "../../shared/words.ts";
import type { Enrolment } from "./draft.ts";
import type { StepId } from "./steps.ts";

export type DraftFinding = Data<"POST /admin/agent-builder/validate">["findings"][number];

/** Whoever types is not asked about after each letter. */
const PAUSE_MS = 400;

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export interface Checked {
  findings: readonly DraftFinding[];
  /** The findings are those of the draft as it is now. */
  isCurrent: boolean;
  hasErrors: boolean;
}

/** What the platform says of a draft, as it is written. */
export function useChecked(body: Enrolment): Checked {
  const now = JSON.stringify(body);
  const settled = useSettled(now);
  const answer = useAnswer(
    "POST /admin/agent-builder/validate",
    [{ body: JSON.parse(settled) as Enrolment & object }],
    {
      keepsShown: true,
    },
  );
  const findings = answer.data?.data.findings ?? [];
  return {
    findings,
    isCurrent: now === settled && answer.data !== undefined && !answer.isPlaceholderData,
    hasErrors: findings.some(({ level }) => level === "error"),
  };
}

/** What each field is called, and in which step it stands. */
const FIELDS: Readonly<Record<string, readonly [label: string, step: StepId]>> = {
  name: ["Name", "start"],
  description: ["What it is for", "start"],
  templateId: ["Template", "start"],
  problemSetId: ["Where it works", "start"],
  compartments: ["Who sees it", "start"],
  capabilities: ["What it is good at", "abilities"],
  tools: ["Tools", "abilities"],
  phases: ["Phases", "abilities"],
  raised: ["Tools", "abilities"],
  autonomy: ["How much is left to it", "freedom"],
  character: ["Instructions", "manner"],
  model: ["Model", "manner"],
  maxTokens: ["Longest answer", "manner"],
  temperature: ["How freely it answers", "manner"],
  "budget.calls": ["Most acts of a run", "manner"],
  "budget.tokens": ["Most tokens of a run", "manner"],
  "budget.cost": ["Most that a run costs", "manner"],
  budget: ["Limits of a run", "manner"],
};

export const isAbout = ({ path }: DraftFinding, field: string): boolean =>
  path === field || path.startsWith(`${field}.`);
export const placeOf = (finding: DraftFinding): readonly [label: string, step: StepId] =>
  Object.entries(FIELDS).find(([field]) => isAbout(finding, field))?.[1] ?? ["The agent", "start"];

/** A finding as people say it: kinds of acts by what they do. */
export const said = ({ message }: DraftFinding): string =>
  message.replace(/^([a-z-]+) is never done at autonomy \d/, (all, kind: string) =>
    CLASS_WORDS[kind] === undefined ? all : `${CLASS_WORDS[kind]}: never done where so much is left to it`,
  );

/** What was found at one field. */
export const Said = ({ findings, field }: { findings: readonly DraftFinding[]; field: string }): ReactNode =>
  findings
    .filter((one) => isAbout(one, field))
    .map((one) => (
      <span key={one.path + one.message} className={one.level === "error" ? "fault block" : "block"}>
        {one.level === "warning" && "Look: "}
        {said(one)}
      </span>
    ));

/** What a field shows of what was found: for `Field` and its kin, beside the hint. */
export function marked(findings: readonly DraftFinding[], field: string, hint?: string) {
  const own = findings.filter((one) => isAbout(one, field));
  return {
    hint: own.length ? (
      <>
        {hint} <Said findings={own} field={field} />
      </>
    ) : (
      hint
    ),
    "aria-invalid": own.some(({ level }) => level === "error"),
  };
}
