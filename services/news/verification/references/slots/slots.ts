import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Pair } from "../alignment.ts";
import { deniedAct } from "./acts.ts";
import { otherCount, otherCrowd, otherPrice } from "./amounts.ts";
import { otherHolder, otherParty } from "./holders.ts";
import { otherState } from "./states.ts";
import { otherSum } from "./sums.ts";
import { otherTime } from "./times.ts";
import { linkDenied, splitVote } from "./votes.ts";

/**
 * Why two sentences about one event exclude each other without opposite words: one slot of the event has two values.
 * Undefined where nothing is found.
 */
export const otherFilling = (claim: Statement, candidate: Statement, pairs: readonly Pair[]): string | undefined =>
  splitVote(claim, candidate) ??
  otherParty(claim, candidate) ??
  otherHolder(claim, candidate) ??
  otherTime(claim, candidate, pairs) ??
  otherPrice(claim, candidate) ??
  otherCrowd(claim, candidate) ??
  otherCount(claim, candidate) ??
  otherSum(claim, candidate, pairs) ??
  linkDenied(claim, candidate) ??
  otherState(claim, candidate) ??
  deniedAct(claim, candidate);
