import { invalidTransition } from "../../../core/problem.ts";

/**
 * How far the money of a bounty, or of one period of a subscription, has come. `created` waits for a deposit; `funding`
 * has one, still transparent; `shielding` moves into the pool; `funded` is set aside there. The later stages follow the
 * payout.
 */
export const MONEY_STAGES = [
  "created",
  "funding",
  "shielding",
  "funded",
  "release_requested",
  "submitted",
  "mined",
  "confirmed",
  "refunding",
  "closed",
  "manual_review",
] as const;
export type MoneyStage = (typeof MONEY_STAGES)[number];

/** Stages between the order to pay and the end. */
export const IN_FLIGHT: readonly MoneyStage[] = [
  "release_requested",
  "submitted",
  "mined",
  "confirmed",
  "refunding",
  "manual_review",
];

/**
 * One row of a life cycle: the states in which a move is possible, and the state after it. Absent: any state, or
 * unchanged.
 */
export interface MoneyMove<Status extends string> {
  stages: readonly MoneyStage[];
  /** `none`: before it was funded for the first time. */
  statuses?: readonly (Status | "none")[];
  stage?: MoneyStage;
  status?: Status;
}

export type StageAndStatus<Status extends string> = { stage: MoneyStage; status?: Status };

/**
 * The state after a move. Throws 409 INVALID_TRANSITION, naming the present state and those in which the move is
 * possible.
 */
export function make<Status extends string, Name extends string>(
  moves: Record<Name, MoneyMove<Status>>,
  name: Name,
  { stage, status }: StageAndStatus<Status>,
): StageAndStatus<Status> {
  const move = moves[name];
  if (!move.stages.includes(stage)) throw invalidTransition(name, stage, move.stages);
  if (move.statuses && !move.statuses.includes(status ?? "none"))
    throw invalidTransition(name, status ?? "none", move.statuses);
  const next = move.status ?? status;
  return { stage: move.stage ?? stage, ...(next && { status: next }) };
}

/** Whether a move is possible. */
export const can = <Status extends string, Name extends string>(
  moves: Record<Name, MoneyMove<Status>>,
  name: Name,
  { stage, status }: StageAndStatus<Status>,
): boolean => moves[name].stages.includes(stage) && (moves[name].statuses?.includes(status ?? "none") ?? true);
