import type { Data } from "../../api/client.ts";

/** What became of an acceptance, in words. */
export function acceptedWords({ status, name, role, training }: Data<"POST /problem-sets/invite/accept">): string {
  if (status === "waiting") return `Your wish to join ${name} waits for somebody who manages its members.`;
  return `You are in ${name}, as ${role}.${training ? " It is a training set: you see it in training mode." : ""}`;
}
