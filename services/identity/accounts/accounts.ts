import { z } from "zod";
import { Keystore } from "../../../adapters/keystore.ts";
import { entity, TextId, type Item } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";
import { withoutTrailing } from "../../../core/text/plain.ts";
import { ethrOf, pkhOf } from "../../../core/did/did-accounts.ts";

/** A user of the identity provider together with an account of the blockchain. */
export const Account = entity("accounts", {
  title: "account",
  fields: {
    identityUserId: z.string().describe("The user's id at the identity provider."),
    address: z.string().describe("Address of the blockchain account, checksummed (EIP-55)."),
    chainId: z.int().describe("The chain it is of (CAIP-2 `eip155:<id>`)."),
    keystore: Keystore,
  },
  readonly: ["identityUserId", "address", "chainId", "keystore"],
  hidden: ["keystore"],
  indexes: [
    { fields: ["identityUserId"], unique: true },
    { fields: ["address"], unique: true },
  ],
});
export type Account = Item<typeof Account>;

const REPLACED_BY = ["old-key", "recovery"] as const;

const Former = z.object({
  publicKey: z.string(),
  from: z.string(),
  until: z.string(),
  replacedBy: z.enum(REPLACED_BY).describe("Who allowed it: the key itself, or recovery."),
});

/** A share of a signing key of several parties: its public part; the shares stay with their holders. */
export const MpcKey = entity("mpc-keys", {
  title: "MPC key",
  fields: {
    accountId: TextId,
    publicKey: z.string().describe("Multikey form, `z…`."),
    keyType: z.enum(["Ed25519", "secp256k1", "P-256", "P-384"]),
    label: z.string().trim().min(1).max(120).optional(),
    since: z.string(),
    history: z.array(Former).default([]).describe("The keys before this one, oldest first."),
  },
  readonly: ["accountId", "publicKey", "keyType", "since", "history"],
  indexes: [{ fields: ["accountId", "publicKey"], unique: true }],
});
export type MpcKey = Item<typeof MpcKey>;

/** An account has at most this many shares, and a share this many predecessors. */
export const MOST_KEYS = 32;
export const MOST_FORMER = 200;

export const MpcKeyView = MpcKey.view.omit({ createdBy: true }).meta({ id: "MpcKey" });
export const AccountView = Account.view
  .omit({ createdBy: true })
  .extend({
    dids: z
      .object({ pkh: z.string(), ethr: z.string() })
      .describe("The address as a DID; `POST /api/identity/did/create` binds it."),
    mpcKeys: z.array(MpcKeyView),
  })
  .meta({ id: "Account" });

export const AccountCreated = event(
  "identity.account.created",
  z.object({ id: z.string(), identityUserId: z.string(), address: z.string(), chainId: z.int() }),
);

export const accountView = (account: Account, mpcKeys: readonly MpcKey[]) => ({
  ...account,
  dids: { pkh: pkhOf(account), ethr: ethrOf(account) },
  mpcKeys: [...mpcKeys],
});

/** The change by which a new key replaces a share's. */
export const replacement = (
  key: MpcKey,
  publicKey: string,
  keyType: string,
  replacedBy: (typeof REPLACED_BY)[number],
  now: string,
) => ({
  publicKey,
  keyType,
  since: now,
  history: [...key.history, { publicKey: key.publicKey, from: key.since, until: now, replacedBy }],
});

/** Wei as ether, exact: 18 places at most. */
export function ether(wei: bigint): string {
  const digits = wei.toString().padStart(19, "0");
  return withoutTrailing(withoutTrailing(`${digits.slice(0, -18)}.${digits.slice(-18)}`, "0"), ".");
}
