import type { Host } from "../../../../core/contract/endpoint.ts";
import { isUnserved, nullIf, Problem } from "../../../../core/problem.ts";

interface Answer {
  allowed: boolean;
  reason?: string;
  message?: string;
}

/**
 * Throws 403 `EMAIL_NOT_ALLOWED` where the rules of user profiles keep an address out. Rules look at addresses alone,
 * so a refusal tells of no account.
 */
export async function demandAdmission(host: Host, email: string): Promise<void> {
  // A mesh without that service has no such rules.
  const answer = await host.ask<Answer>("user-profile.admit", { email }).catch(nullIf(isUnserved));
  if (answer && !answer.allowed)
    throw new Problem(403, "EMAIL_NOT_ALLOWED", answer.message ?? "This address is not admitted here.", {
      details: { reason: answer.reason },
    });
}
