/** What a passed proposal can do, all of it. */
export const MEASURE_NAMES = [
  "change-config",
  "grant-dao-role",
  "revoke-dao-role",
  "grant-set-role",
  "open-gate",
  "pay-bounty",
] as const;
export type MeasureName = (typeof MEASURE_NAMES)[number];
/** What stays inside of the DAO. The rest reaches beyond it, so that a commander must have allowed it. */
export const ORDINARY_MEASURES = [
  "change-config",
  "grant-dao-role",
  "revoke-dao-role",
] as const satisfies readonly MeasureName[];
