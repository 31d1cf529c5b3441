import { z } from "zod";
import { fromZat, fromZec } from "./amounts.ts";
import { WalletError } from "./errors.ts";
import { malformed, Rpc, type DeadlineMaker } from "./rpc.ts";
import { callFor, mustBeTransparent, type ReadAddress, type Transfer } from "./transfers.ts";

export { WalletError } from "./errors.ts";
export type { ReadAddress, Transfer } from "./transfers.ts";

export interface WalletSettings {
  /** Address of the node's JSON-RPC (`http://127.0.0.1:8232`), without credentials. */
  url: string;
  user: string;
  pass: string;
  /** P2PKH; deposits arrive there. */
  tAddress: string;
  /** Sapling or unified; its pool holds the money. */
  zAddress: string;
  /** Longest wait for one answer, in milliseconds; default 30,000. */
  timeoutMs?: number;
  /** Depth at which notes of the pool are spent; default 3. */
  minConfirmations?: number;
}

const zat = z.number().transform(fromZat);
const zec = z.union([z.string(), z.number()]).transform(fromZec);
const count = z.int();
const txid = z.string().regex(/^[0-9a-f]{64}$/);
const opid = z.string().regex(/^opid-[0-9a-f-]{36}$/);
const hex = z.string().regex(/^[0-9a-f]*$/i);

/** The used parts of the node's answers (zcashd 6.x, `help <method>`); other fields are ignored. */
const ANSWERS = {
  getinfo: z.object({ blocks: count, version: count, testnet: z.boolean() }),
  z_gettotalbalance: z.object({ transparent: zec, private: zec }),
  listunspent: z.array(z.object({ txid, vout: count, amountZat: zat, generated: z.boolean() })),
  listsinceblock: z.object({
    transactions: z.array(
      z.object({
        address: z.string().optional(),
        category: z.string(),
        amountZat: zat,
        vout: count,
        txid,
        confirmations: count,
      }),
    ),
    lastblock: z.string(),
  }),
  operations: z.array(
    z.object({
      id: opid,
      status: z.enum(["queued", "executing", "success", "failed", "cancelled"]),
      method: z.string().optional(),
      params: z.object({ amounts: z.array(z.object({ memo: hex.optional() })).optional() }).optional(),
      result: z.object({ txid: txid.optional() }).optional(),
      error: z.object({ code: count, message: z.string() }).optional(),
    }),
  ),
  z_listreceivedbyaddress: z.array(z.object({ txid, amountZat: zat, memo: hex, confirmations: count })),
  gettransaction: z.object({ confirmations: count, status: z.string(), fee: zec.optional() }),
  z_viewtransaction: z.object({
    spends: z.array(z.object({ valueZat: zat })),
    outputs: z.array(
      z.object({
        valueZat: zat,
        memo: hex,
        outgoing: z.boolean(),
        walletInternal: z.boolean().optional(),
        address: z.string().optional(),
      }),
    ),
  }),
  z_sendmany: opid,
  z_shieldcoinbase: z.object({ opid }),
  z_validateaddress: z.object({ isvalid: z.boolean() }),
} as const;

const NEVER_MIND_HOW_DEEP = 9_999_999;
const NOT_OF_THIS_WALLET = -5;

export type Wallet = ReturnType<typeof wallet>;

/**
 * A shielded wallet behind the JSON-RPC of zcashd. Amounts are whole zatoshi as text. Every method throws WalletError
 * and nothing else. The wallet must belong to the escrow alone: `balances` are the whole wallet's. @param readAddress
 * decodes any Zcash address by its whole encoding, and throws on an invalid one @throws WalletError `refused` on
 * invalid settings: addresses of the wrong kind, a URL with credentials
 */
export function wallet(
  settings: WalletSettings,
  readAddress: ReadAddress,
  deadline: DeadlineMaker = (milliseconds) => AbortSignal.timeout(milliseconds),
) {
  const { tAddress, zAddress, timeoutMs = 30_000, minConfirmations = 3 } = checked(settings, readAddress);
  const rpc = new Rpc({ ...settings, timeoutMs }, deadline);
  const home = { tAddress, zAddress, minConfirmations };

  async function ask<S extends z.ZodType>(
    schema: S,
    method: string,
    params: readonly unknown[] = [],
    acts = false,
  ): Promise<z.output<S>> {
    const result = await rpc.call(method, params, acts);
    try {
      return schema.parse(result);
    } catch {
      throw malformed(method, 200);
    }
  }

  const total = (amounts: readonly string[]): bigint => amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);

  return {
    tAddress,
    zAddress,

    async info() {
      const { blocks, version, testnet } = await ask(ANSWERS.getinfo, "getinfo");
      return { height: blocks, version, testnet };
    },

    async balances() {
      const { transparent, private: shielded } = await ask(ANSWERS.z_gettotalbalance, "z_gettotalbalance", [0]);
      return { transparent, shielded };
    },

    async unspent(confirmations: number) {
      const outputs = await ask(ANSWERS.listunspent, "listunspent", [confirmations, NEVER_MIND_HOW_DEEP, [tAddress]]);
      return outputs.map(({ txid: of, vout, amountZat, generated }) => ({
        id: `${of}:${vout}`,
        amount: amountZat,
        coinbase: generated,
      }));
    },

    /** `since` is a block; the cursor returned is the block `depth` deep, so that everything above it is read again. */
    async receipts(since: string | undefined, depth: number) {
      const { transactions, lastblock } = await ask(ANSWERS.listsinceblock, "listsinceblock", [since ?? "", depth]);
      const arrived = transactions.filter(
        ({ address, category }) => address === tAddress && ["receive", "generate", "immature"].includes(category),
      );
      return {
        cursor: /^0*$/.test(lastblock) ? "" : lastblock,
        receipts: arrived.map(({ txid: of, vout, amountZat, category, confirmations }) => ({
          id: `${of}:${vout}`,
          txid: of,
          amount: amountZat,
          confirmations,
          coinbase: category !== "receive",
          mature: category !== "immature",
        })),
      };
    },

    async operations(opids?: readonly string[]) {
      const known = await ask(ANSWERS.operations, "z_getoperationstatus", opids ? [opids] : []);
      return known.map(({ id, status, method, params, result, error }) => {
        const memos = params?.amounts?.flatMap(({ memo }) => memo ?? []) ?? [];
        return {
          opid: id,
          status,
          memos,
          ...(method && { method }),
          ...(result?.txid && { txid: result.txid }),
          ...(error && { error }),
        };
      });
    },

    async forget(opids: readonly string[]) {
      await ask(ANSWERS.operations, "z_getoperationresult", [opids]);
    },

    async notes() {
      return (await ask(ANSWERS.z_listreceivedbyaddress, "z_listreceivedbyaddress", [zAddress, 0])).map(
        ({ txid: of, amountZat, memo, confirmations }) => ({ txid: of, amount: amountZat, memo, confirmations }),
      );
    },

    /** Null where the wallet does not know it. */
    async transaction(of: string) {
      try {
        const { confirmations, status, fee } = await ask(ANSWERS.gettransaction, "gettransaction", [of]);
        const { spends, outputs } = await ask(ANSWERS.z_viewtransaction, "z_viewtransaction", [of]);
        const spent = total(spends.map(({ valueZat }) => valueZat));
        const made = total(outputs.map(({ valueZat }) => valueZat));
        // The node reports the fee of transparent inputs only (as a negative number); of notes it is the inputs minus
        // the outputs.
        const paid = spends.length > 0 ? spent - made : -BigInt(fee ?? "0");
        return {
          txid: of,
          confirmations,
          expired: status === "expired",
          own: spends.length > 0 || fee !== undefined,
          spent: String(spent),
          fee: String(paid),
          outputs: outputs.map(({ valueZat, memo, outgoing, walletInternal = false, address }) => ({
            amount: valueZat,
            memo,
            outgoing,
            change: walletInternal,
            ...(address && { address }),
          })),
        };
      } catch (error) {
        if (error instanceof WalletError && error.code === NOT_OF_THIS_WALLET) return null;
        throw error;
      }
    },

    /** Orders a transfer. The node answers at once and works on it later: see `operations`. */
    async send(transfer: Transfer) {
      const { method, params } = callFor(transfer, home, readAddress);
      if (method === "z_sendmany") return { opid: await ask(ANSWERS.z_sendmany, method, params, true) };
      return { opid: (await ask(ANSWERS.z_shieldcoinbase, method, params, true)).opid };
    },

    async isAddress(text: string) {
      return (await ask(ANSWERS.z_validateaddress, "z_validateaddress", [text])).isvalid;
    },

    close: () => rpc.close(),
  };
}

function checked(settings: WalletSettings, readAddress: ReadAddress): WalletSettings {
  const refuse = (complaint: string): never => {
    throw new WalletError("refused", "not-taken", complaint);
  };
  const url = URL.canParse(settings.url)
    ? new URL(settings.url)
    : refuse("url: must be the address of the wallet's JSON-RPC.");
  if (url.protocol !== "http:" && url.protocol !== "https:") refuse("url: must begin with http:// or https://.");
  if (url.username || url.password) refuse("url: must not hold credentials; give user and pass.");
  if (!Number.isInteger(settings.timeoutMs ?? 1) || (settings.timeoutMs ?? 1) < 1)
    refuse("timeoutMs: must be a whole number of milliseconds, at least 1.");
  if (!Number.isInteger(settings.minConfirmations ?? 1) || (settings.minConfirmations ?? 1) < 1)
    refuse("minConfirmations: must be a whole number, at least 1.");
  const tAddress = mustBeTransparent(settings.tAddress, "tAddress", readAddress);
  // Builds one call of each kind as a test, so that unusable addresses are found now and not with the first deposit.
  callFor({ kind: "shield-coinbase", memo: "00" }, { ...settings, minConfirmations: 1 }, readAddress);
  return { ...settings, tAddress };
}
