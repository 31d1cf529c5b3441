/** Conventional fee of ZIP 317: 5,000 zatoshi an action, two actions at least. */
const MARGINAL_FEE = 5_000n;
const GRACE_ACTIONS = 2;
/** A Sapling bundle is padded to two outputs, an Orchard one to two actions (zcashd's CalcZIP317Fee, PadCount). */
const PADDED = 2;

const conventional = (actions: number): bigint => MARGINAL_FEE * BigInt(Math.max(GRACE_ACTIONS, actions));

/** The fee, in zatoshi, of moving this many transparent outputs (P2PKH, one action each) into one shielded note. */
export const shieldingFee = (inputs: number): bigint => conventional(inputs + PADDED);

/**
 * What every deposit adds to the bounty's amount, in zatoshi, for its own fees: shielding one output, and a payout of
 * three outputs (payee, marker, change) from up to six notes, doubled as a margin.
 */
export const FEE_RESERVE = 2n * (shieldingFee(1) + conventional(6));
