import { unprocessable } from "../../../../core/problem.ts";
import { payeeRefusal, type ZcashAddress } from "./addresses.ts";
import { isWalletFault, type EscrowWallet } from "./wallet-port.ts";

/**
 * Throws 422, naming the field, unless the escrow can pay this address shielded within its own pool. The wallet, which
 * also checks the points on the curve, is asked too; while it does not answer the encoding suffices, since the wallet
 * checks again before it sends.
 */
export async function payableOrRefused(
  address: string,
  field: string,
  { home, wallet }: { home: ZcashAddress; wallet: EscrowWallet },
): Promise<void> {
  const complaint = payeeRefusal(address, home) ?? (await wordOf(wallet, address));
  if (complaint) throw unprocessable("INVALID_PAYEE", `${field}: ${complaint}.`, [{ path: field, message: complaint }]);
}

async function wordOf(wallet: EscrowWallet, address: string): Promise<string | null> {
  try {
    return (await wallet.isAddress(address)) ? null : "the wallet does not take this for an address";
  } catch (error) {
    if (isWalletFault(error)) return null;
    throw error;
  }
}
