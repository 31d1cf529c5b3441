import type { Env } from "../../config/env.ts";
import { wallet, type ReadAddress, type Wallet } from "./wallet.ts";

/** The settings of the wallet's fields, for refusals in an operator's words. */
const WALLET_SETTINGS: Readonly<Record<string, string>> = {
  url: "SHIELDED_RPC_URL",
  tAddress: "SHIELDED_T_ADDRESS",
  zAddress: "SHIELDED_Z_ADDRESS",
};

/** The escrow's wallet; undefined unless all five of its settings are given. Throws on an invalid one, naming it. */
export function walletOf(env: Env, readAddress: ReadAddress): Wallet | undefined {
  const {
    SHIELDED_RPC_URL: url,
    SHIELDED_RPC_USER: user,
    SHIELDED_RPC_PASS: pass,
    SHIELDED_T_ADDRESS: tAddress,
    SHIELDED_Z_ADDRESS: zAddress,
  } = env;
  if (!url || !user || !pass || !tAddress || !zAddress) return undefined;
  try {
    return wallet({ url, user, pass, tAddress, zAddress }, readAddress);
  } catch (error) {
    throw new Error(
      (error as Error).message.replace(/^\w+/, (field) => WALLET_SETTINGS[field] ?? field),
      { cause: error },
    );
  }
}
