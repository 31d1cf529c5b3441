import type { Proposal } from "../dao-types.ts";

export interface CourseStep {
  words: string;
  at?: string | undefined;
  stands: "past" | "now" | "ahead";
  note?: string;
}

const ENDED: readonly Proposal["status"][] = ["defeated", "executed", "expired", "cancelled"];

/** The stations of a proposal, as far as its state lets them be known. */
export function courseOf(proposal: Proposal): CourseStep[] {
  const { status, createdAt, startsAt, deadline, extendedFrom, eta, expiresAt, rules } = proposal;
  const isOpened = proposal.totalPower !== undefined;
  const isClosed = proposal.closedAt !== undefined;
  const isCancelled = status === "cancelled";
  const stands = (is: boolean, isNow: boolean): CourseStep["stands"] => (isNow ? "now" : is ? "past" : "ahead");
  const steps: CourseStep[] = [
    { words: "Submitted", at: createdAt, stands: stands(true, status === "pending") },
    { words: isOpened ? "Voting opened" : "Voting opens", at: startsAt, stands: stands(isOpened, status === "active") },
    {
      words: isClosed ? "Voting closed" : "Voting closes",
      at: deadline,
      stands: stands(isClosed, false),
      ...(extendedFrom && { note: "moved, because the quorum was reached late" }),
    },
  ];
  if (isCancelled) {
    const reached = steps.filter(({ stands: one }) => one !== "ahead");
    return [...reached, { words: "Withdrawn", at: proposal.cancelled?.at, stands: "now" }];
  }
  if (status === "defeated") return [...steps, { words: "Did not pass", stands: "now" }];
  if (eta && rules.timelockSeconds > 0)
    steps.push({ words: "Timelock until", at: eta, stands: stands(true, status === "queued") });
  if (status === "executed")
    return [...steps.map(past), { words: "Executed", at: proposal.executedAt, stands: "now", ...executor(proposal) }];
  if (status === "expired") return [...steps.map(past), { words: "Expired", at: expiresAt, stands: "now" }];
  if (status === "queued" && !expiresAt)
    return [...steps, { words: "Adopted: people carry it out, and mark it as executed", stands: "ahead" }];
  const execution: CourseStep = expiresAt
    ? { words: "To be executed before", at: expiresAt, stands: "ahead" }
    : { words: "If it passes, its execution", stands: "ahead" };
  return [...steps, execution];
}

const past = (step: CourseStep): CourseStep => ({ ...step, stands: "past" });

const executor = ({ executedBy, executedByName }: Proposal): { note?: string } =>
  executedBy
    ? { note: `by ${executedBy.startsWith("system:") ? "the platform" : (executedByName ?? executedBy)}` }
    : {};

/** Whether nothing more can come of it. */
export const hasEnded = ({ status }: Pick<Proposal, "status">): boolean => ENDED.includes(status);
