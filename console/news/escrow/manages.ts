import { useMay, useWho } from "../../app/session.tsx";
import type { Bounty } from "./state-words.ts";

/** Whether this person answers for the bounty: their own, or as an administrator. */
export function useManages({ createdBy }: Bounty): boolean {
  const { userId } = useWho();
  return useMay("escrow:administer") || createdBy === userId;
}
