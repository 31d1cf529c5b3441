import { Errors } from "moleculer";
import { systemActor } from "../../../core/access.ts";
import type { Host } from "../../../core/endpoint.ts";
import { Problem } from "../../../core/problem.ts";

interface Answer { allowed: boolean; reason?: string; message?: string }

/** Throws 403 `ADDRESS_NOT_ADMITTED` where the rules of user profiles keep an address out. Rules look at addresses alone, so a refusal tells of no account. */
export async function demandAdmission(host: Host, email: string): Promise<void> {
  const { allowed, reason, message } = await host.broker.call<Answer, object>("user-profile.admit", { email }, { meta: { actor: systemActor("auth") } }).catch((error: unknown) => {
    // A mesh without that service has no such rules.
    if (error instanceof Errors.ServiceNotFoundError) return { allowed: true } as Answer;
    throw error;
  });
  if (!allowed) throw new Problem(403, "ADDRESS_NOT_ADMITTED", message ?? "This address is not admitted here.", { details: { reason } });
}
