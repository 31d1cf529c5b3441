import { z } from "zod";
import { SET_ROLE_NAMES } from "../../../../config/set-roles.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { STANCES, type VoteKind } from "../votes/choices.ts";
import { empowering, ConfigChange, type Config } from "../daos.ts";
import { MEASURE_NAMES, type MeasureName } from "./measure-names.ts";
import type { Tally } from "../votes/tally.ts";

const Account = z.string().min(1).max(2_048).describe("A user id or a DID.");
/** The role of commander cannot be given by vote: only a commander gives it. */
const GRANTABLE = SET_ROLE_NAMES.filter((role) => role !== "commander") as [string, ...string[]];
const option = {
  option: z.int().min(0).max(49).optional().describe("Done only if this option wins; absent: whichever does."),
};

/** One thing that a proposal does when it is executed: an entry of the allow-list, with what it needs. */
export const ProposalMeasure = z
  .discriminatedUnion("do", [
    z.strictObject({ do: z.literal("change-config"), config: ConfigChange, ...option }),
    z.strictObject({ do: z.literal("grant-dao-role"), account: Account, roleId: TextId, ...option }),
    z.strictObject({ do: z.literal("revoke-dao-role"), account: Account, roleId: TextId, ...option }),
    z.strictObject({ do: z.literal("grant-set-role"), account: Account, role: z.enum(GRANTABLE), ...option }),
    z.strictObject({ do: z.literal("open-gate"), gateId: TextId, ...option }),
    z.strictObject({ do: z.literal("pay-bounty"), bountyId: TextId, ...option }),
  ])
  .meta({ id: "DaoMeasure" });
export type ProposalMeasure = z.output<typeof ProposalMeasure>;

/** The progress of one measure. */
export const MeasureStep = z
  .object({
    do: z.enum(MEASURE_NAMES),
    status: z
      .enum(["pending", "done", "waiting"])
      .describe("`waiting`: its target refused it, or the installation lacks it; executing again tries again."),
    at: Instant.optional(),
    code: z.string().optional(),
    reason: z.string().optional(),
    simulated: z.boolean().optional().describe("Nothing happened outside: the DAO is one of training."),
    result: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "DaoStep" });
export type MeasureStep = z.output<typeof MeasureStep>;

/**
 * Throws 422 where a measure is not allowed by the DAO, would empower it further, or names an option that the proposal
 * does not have.
 */
export function refuseMeasures(
  measures: readonly ProposalMeasure[],
  config: Config,
  kind: VoteKind,
  options: number,
): void {
  for (const [at, measure] of measures.entries()) {
    const path = `measures.${at}`;
    if (!config.measures.includes(measure.do))
      throw unprocessable("MEASURE_NOT_ALLOWED", `${path}: this DAO may not ${measure.do}.`, {
        allowed: config.measures,
      });
    if (measure.do === "change-config" && empowering(config, measure.config).length)
      throw unprocessable(
        "MEASURE_NOT_ALLOWED",
        `${path}: a DAO does not empower itself; a commander allows ${empowering(config, measure.config).join(", ")}.`,
      );
    if (measure.option !== undefined && (measure.option >= options || (kind === "basic" && measure.option !== 0)))
      throw unprocessable(
        "UNKNOWN_OPTION",
        `${path}.option: ` +
          `${kind === "basic" ? `only option 0 (${STANCES[0]}) can pass` : `options count from 0 to ${options - 1}`}.`,
      );
  }
}

/** Positions of the measures that a tally calls for. */
export const calledFor = (measures: readonly ProposalMeasure[], { winner }: Pick<Tally, "winner">): number[] =>
  measures.flatMap(({ option: wanted }, at) => (wanted === undefined || wanted === winner ? [at] : []));

export type { MeasureName };
