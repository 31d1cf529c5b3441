import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { ACTION_CLASSES, AUTHORITIES, AUTONOMY, decide, SAFETY, SAFETY_VERDICTS } from "../../../../config/safety.ts";

const Authority = z.enum(AUTHORITIES);
const Autonomy = z.literal(AUTONOMY).describe("Level of automation, 0 (none) to 4 (full).");
const Decision = z.object({ verdict: z.enum(SAFETY_VERDICTS), approver: Authority.nullable(), why: z.string() });

export const safetyActions = {
  validateSafety: endpoint({
    rest: "POST /safety/validate",
    summary: "Test an authority against the safety matrix",
    permit: "signed-in",
    reads: true,
    body: { action: z.enum(ACTION_CLASSES), authority: Authority, autonomy: Autonomy.default(0) },
    returns: data(Decision.extend({ action: z.enum(ACTION_CLASSES), authority: Authority, autonomy: Autonomy })),
    example: { action: "task-units", authority: "planner", autonomy: 2 },
    handler({ params: { action, authority, autonomy } }) {
      return { action, authority, autonomy, ...decide(action, authority, autonomy) };
    },
  }),

  getSafetyMatrix: endpoint({
    rest: "GET /safety/matrix",
    summary: "Read the safety matrix in full",
    permit: "signed-in",
    cacheSeconds: 3_600,
    description:
      "The authority and autonomy that each class of action requires. Agents are held to the same " +
      "matrix when they act.",
    returns: data(
      z.object({
        authorities: z.array(Authority),
        autonomy: z.array(Autonomy),
        actions: z.array(
          z.object({
            action: z.enum(ACTION_CLASSES),
            meaning: z.string(),
            least: Authority,
            approver: Authority,
            verdicts: z.array(z.object({ authority: Authority, byAutonomy: z.array(z.enum(SAFETY_VERDICTS)) })),
          }),
        ),
      }),
    ),
    handler: () => ({
      authorities: [...AUTHORITIES],
      autonomy: [...AUTONOMY],
      actions: ACTION_CLASSES.map((action) => ({
        action,
        meaning: SAFETY[action].meaning,
        least: SAFETY[action].least,
        approver: SAFETY[action].approver,
        verdicts: AUTHORITIES.map((authority) => ({
          authority,
          byAutonomy: AUTONOMY.map((autonomy) => decide(action, authority, autonomy).verdict),
        })),
      })),
    }),
  }),
};
