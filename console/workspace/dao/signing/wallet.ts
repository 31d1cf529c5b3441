import type { TypedData } from "../dao-types.ts";

/** The part of a wallet in the browser (EIP-1193) that signing needs. */
interface Wallet {
  request(asked: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}
const walletHere = (): Wallet | undefined => (window as { ethereum?: Wallet }).ethereum;

export const hasWallet = (): boolean => walletHere() !== undefined;

async function accountOf(wallet: Wallet): Promise<string> {
  const [account] = (await wallet.request({ method: "eth_requestAccounts" })) as string[];
  if (!account) throw new Error("The wallet gave no account.");
  return account;
}

/** The first account that the wallet lets the page see. */
export const walletAddress = async (): Promise<string> => accountOf(walletHere()!);

/** Lets the wallet sign typed data (EIP-712). */
export async function signByWallet(typed: TypedData): Promise<string> {
  const wallet = walletHere()!;
  const account = await accountOf(wallet);
  return (await wallet.request({ method: "eth_signTypedData_v4", params: [account, JSON.stringify(typed)] })) as string;
}
