import { z } from "zod";
import { entity, TextId, type Item } from "../../../core/records/entity.ts";
import { Problem, unprocessable } from "../../../core/problem.ts";
import { barrier } from "../../../core/access/place.ts";
import { Amount } from "./votes/integers.ts";
import { MEASURE_NAMES, ORDINARY_MEASURES, type MeasureName } from "./proposals/measure-names.ts";
import { BASES } from "./votes/power.ts";

const DAY = 86_400;
const share = z.int().min(0).max(10_000);
const seconds = z
  .int()
  .min(0)
  .max(365 * DAY);

/**
 * How a proposal is decided. Copied into each proposal, so that a change of the configuration leaves running ones
 * alone.
 */
const RULES = {
  basis: z
    .enum(BASES)
    .describe(
      "Basis of voting power: one member one vote, the sum of the weights of a member's roles, or their tokens.",
    ),
  quorumBps: share.describe("Share of all power at the snapshot that must vote, in basis points, rounded up."),
  quorumCounts: z
    .enum(["participation", "support"])
    .describe("`participation`: every valid vote. `support`: of `basic` votes only for and abstain."),
  majorityBps: z
    .int()
    .min(0)
    .max(9_999)
    .describe("A `basic` proposal needs more than this share of for and against together."),
  pluralityBps: share.describe(
    "The leading option of another proposal needs at least this share; a tie for the lead is always defeated.",
  ),
  proposalThreshold: Amount.describe("Own power needed to propose, unless a role of the DAO allows it."),
  delaySeconds: seconds.describe("From submission to the opening of the vote, when power is snapshotted."),
  periodSeconds: seconds.min(1).describe("From the opening to the close."),
  timelockSeconds: seconds.describe("From the close to the first moment of execution."),
  graceSeconds: seconds.min(60).describe("From then until an unexecuted proposal expires."),
  lateQuorumSeconds: seconds.describe(
    "Minimum voting time left once the quorum is first reached (OpenZeppelin " +
      "GovernorPreventLateQuorum); 0 turns it off.",
  ),
  delegationDepth: z
    .int()
    .min(0)
    .max(16)
    .describe("How many delegates a power may pass over; 0: delegations do not count."),
  changeable: z.boolean().describe("Whether a vote may be changed until the close."),
  signatures: z
    .enum(["optional", "required"])
    .describe("Whether a vote must carry an EIP-712 signature by the voter's address."),
  autoExecute: z.boolean().describe("Whether a passed proposal is executed automatically after the timelock."),
};
export const Rules = z.strictObject(RULES).meta({ id: "DaoRules" });
export type Rules = z.output<typeof Rules>;

const DEFAULT_RULES: Rules = {
  basis: "member",
  quorumBps: 2_000,
  quorumCounts: "participation",
  majorityBps: 5_000,
  pluralityBps: 0,
  proposalThreshold: "0",
  delaySeconds: 0,
  periodSeconds: 3 * DAY,
  timelockSeconds: 0,
  graceSeconds: 14 * DAY,
  lateQuorumSeconds: 0,
  delegationDepth: 3,
  changeable: true,
  signatures: "optional",
  autoExecute: false,
};

/** A kind of proposal with rules of its own: what it names replaces the DAO's. */
const ProposalClass = z.strictObject({ name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/), rules: Rules.partial() });

const CONFIG = {
  ...RULES,
  electorate: z
    .enum(["problem-set", "listed"])
    .describe(
      "Who votes: every active member of the problem set who is read into the DAO's compartments, or of " +
        "those the DAO's enrolled members.",
    ),
  amendment: z
    .enum(["governors", "vote"])
    .describe("Who changes configuration, roles and enrolment: whoever may govern, or only an executed proposal."),
  measures: z
    .array(z.enum(MEASURE_NAMES))
    .max(MEASURE_NAMES.length)
    .describe(`What a passed proposal may do. Beyond ${ORDINARY_MEASURES.join(", ")} only a commander can allow it.`),
  classes: z
    .array(ProposalClass)
    .max(20)
    .refine(
      (classes) => new Set(classes.map(({ name }) => name)).size === classes.length,
      "Two classes have the same name.",
    ),
};
export const Config = z.strictObject(CONFIG).meta({ id: "DaoConfig" });
export type Config = z.output<typeof Config>;
/** What is left out stays. */
export const CONFIG_CHANGE = Config.partial().shape;
export const ConfigChange = Config.partial().meta({ id: "DaoConfigChange" });
export type ConfigChange = z.output<typeof ConfigChange>;

export const DEFAULT_CONFIG: Config = {
  ...DEFAULT_RULES,
  electorate: "problem-set",
  amendment: "governors",
  measures: [...ORDINARY_MEASURES],
  classes: [],
};

/** A body of people of a problem set who decide by vote. */
export const Dao = entity("dao", {
  title: "DAO",
  collection: "daos",
  fields: {
    problemSetId: TextId,
    compartments: z
      .array(TextId)
      .max(50)
      .default([])
      .describe("Only members read into all of them see the DAO or anything of it."),
    name: z.string().trim().min(1).max(200),
    description: z.string().max(10_000).default(""),
    training: z.boolean().describe("Founded in training: effects outside of the mesh are simulated."),
    config: Config,
    /** Keys of measures that changed this record: a repetition after a kill changes nothing. */
    applied: z.array(z.string()).default([]),
  },
  readonly: ["training", "applied"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["applied"],
  filter: ["problemSetId"],
  sort: ["name"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
});
export type Dao = Item<typeof Dao>;
export const DaoView = Dao.view.meta({ id: "Dao" });

/** Where whatever belongs to a DAO lies: in its problem set and its compartments. */
export const daoPlace = ({
  id: daoId,
  problemSetId,
  compartments,
}: Pick<Dao, "id" | "problemSetId" | "compartments">) => ({ daoId, problemSetId, compartments });

/** The rules of one proposal: the DAO's, overlaid by its class. Throws 422 where there is no such class. */
export function rulesFor(config: Config, className: string | undefined): Rules {
  const own = Object.fromEntries(Object.keys(RULES).map((key) => [key, config[key as keyof Rules]])) as Rules;
  if (className === undefined) return own;
  const found = config.classes.find(({ name }) => name === className);
  if (!found)
    throw unprocessable("UNKNOWN_CLASS", `This DAO has no class of proposals named ${className}.`, {
      classes: config.classes.map(({ name }) => name),
    });
  return { ...own, ...found.rules };
}

/** Measures a change would newly allow and that are not ordinary: those need a commander's word. */
export const empowering = (config: Config, { measures }: ConfigChange): MeasureName[] =>
  (measures ?? []).filter((name) => !ORDINARY_MEASURES.includes(name as never) && !config.measures.includes(name));

/** Throws 409 `AMENDMENT_BY_PROPOSAL_ONLY` where only an executed proposal changes how the DAO is made up. */
export function refuseUnlessGoverned({ amendment }: Config): void {
  if (amendment === "vote")
    throw new Problem(
      409,
      "AMENDMENT_BY_PROPOSAL_ONLY",
      "This DAO changes its configuration, roles and enrolment by proposal alone.",
    );
}
