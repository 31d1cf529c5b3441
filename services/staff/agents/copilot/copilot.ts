import { z } from "zod";

/** A recommendation: what blocks a decision, the evidence, and what could be done. */
export const Advice = z
  .object({
    kind: z.enum(["deadline", "quorum", "gate", "dao"]),
    severity: z.enum(["high", "medium", "low"]),
    problemSetId: z.string(),
    text: z.string(),
    evidence: z.array(z.object({ type: z.string(), id: z.string() })),
    proposal: z.string().describe("A draft: nothing was begun."),
  })
  .meta({ id: "GovernanceAdvice" });
export type Advice = z.output<typeof Advice>;

interface GateRow {
  id: string;
  problemSetId: string;
  name: string;
  status: string;
  enforcement: string;
  deadline?: string;
}
interface DaoRow {
  id: string;
  problemSetId: string;
  name: string;
}
interface ProposalRow {
  id: string;
  daoId: string;
  problemSetId: string;
  title: string;
  status: string;
  deadline: string;
  eta?: string;
  expiresAt?: string;
  waitingFor?: string;
  rules: { quorumBps: number };
  /** Of the count as it stands, where the vote closes soon. */
  isQuorate?: boolean;
}
/** What a reader sees of the decision process. */
export interface Governance {
  gates: readonly GateRow[];
  daos: readonly DaoRow[];
  proposals: readonly ProposalRow[];
}

const DAY_MS = 86_400_000;
const WAITING = ["open", "submitted", "rejected", "escalated"];

function ofGates(gates: readonly GateRow[], now: number): Advice[] {
  return gates.flatMap((gate): Advice[] => {
    const { id, name, status, enforcement, deadline, problemSetId } = gate;
    const base = { problemSetId, evidence: [{ type: "gate", id }] };
    if (status === "expired" && enforcement === "hard")
      return [
        {
          ...base,
          kind: "deadline",
          severity: "high",
          text: `The hard gate "${name}" expired: what it guards is stopped.`,
          proposal: "Configure another deadline, so that it opens again, and submit it.",
        },
      ];
    if (!WAITING.includes(status)) return [];
    if (deadline && Date.parse(deadline) - now <= DAY_MS)
      return [
        {
          ...base,
          kind: "deadline",
          severity: enforcement === "hard" ? "high" : "medium",
          text: `The gate "${name}" is ${status}, and is due by ${deadline}.`,
          proposal: status === "submitted" ? "Decide it now." : "Submit it now, or escalate it.",
        },
      ];
    if (status === "rejected")
      return [
        {
          ...base,
          kind: "gate",
          severity: "medium",
          text: `The gate "${name}" was rejected and not submitted again.`,
          proposal: "Answer the reason of the rejection and submit it again.",
        },
      ];
    return enforcement === "hard" && !deadline
      ? [
          {
            ...base,
            kind: "gate",
            severity: "low",
            text: `The hard gate "${name}" has no deadline.`,
            proposal: "Configure a deadline.",
          },
        ]
      : [];
  });
}

/** Whether a vote closes so soon that a quorum that is missing must be told. */
export const closesSoon = ({ status, rules, deadline }: ProposalRow, now: number): boolean =>
  status === "active" && rules.quorumBps > 0 && Date.parse(deadline) - now <= DAY_MS;

function ofProposals(proposals: readonly ProposalRow[], now: number): Advice[] {
  return proposals.flatMap((one): Advice[] => {
    const { id, daoId, title, status, problemSetId, deadline, waitingFor, expiresAt, isQuorate } = one;
    const base = {
      problemSetId,
      evidence: [
        { type: "proposal", id },
        { type: "dao", id: daoId },
      ],
    };
    if (closesSoon(one, now) && !isQuorate)
      return [
        {
          ...base,
          kind: "quorum",
          severity: "high",
          text: `The vote on "${title}" closes at ${deadline} without a quorum so far.`,
          proposal: "Remind the members who have not voted.",
        },
      ];
    if (status === "queued" && waitingFor)
      return [
        {
          ...base,
          kind: "dao",
          severity: "high",
          text: `"${title}" passed, and its execution stopped: ${waitingFor}`,
          proposal: "Remove what is in the way, and execute it again.",
        },
      ];
    if (status === "queued" && expiresAt && Date.parse(expiresAt) - now <= DAY_MS)
      return [
        {
          ...base,
          kind: "deadline",
          severity: "high",
          text: `"${title}" passed, and expires unexecuted at ${expiresAt}.`,
          proposal: "Execute it before.",
        },
      ];
    return [];
  });
}

const ofDaos = ({ daos, proposals }: Governance): Advice[] =>
  daos
    .filter(({ id }) => !proposals.some(({ daoId }) => daoId === id))
    .map(({ id, name, problemSetId }) => ({
      kind: "dao",
      severity: "low",
      problemSetId,
      text: `The DAO "${name}" has decided nothing yet.`,
      evidence: [{ type: "dao", id }],
      proposal: "Put a first proposal before it.",
    }));

const SEVERITIES = ["high", "medium", "low"];

/** What blocks decisions, by rules; the most severe first. */
export const advise = (seen: Governance, now: number): Advice[] =>
  [...ofGates(seen.gates, now), ...ofProposals(seen.proposals, now), ...ofDaos(seen)].sort(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  );
