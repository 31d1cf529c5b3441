import { createInterface } from "node:readline";
import { walletStandIn } from "../adapters/wallet/stand-in.ts";

/** As deep as the escrow wants a deposit, and more. */
const BLOCKS = 10;

/**
 * Serves the stand-in of the shielded wallet on loopback, for trials and fuzzing: its settings go to the terminal as
 * lines of an environment. Each line that it is given mines some blocks; an amount in it is paid in first.
 */
const wallet = await walletStandIn({ auto: true });
console.log(
  [
    `SHIELDED_RPC_URL=${wallet.url}`,
    `SHIELDED_RPC_USER=${wallet.user}`,
    `SHIELDED_RPC_PASS=${wallet.pass}`,
    `SHIELDED_T_ADDRESS=${wallet.tAddress}`,
    `SHIELDED_Z_ADDRESS=${wallet.zAddress}`,
    `# Addresses of others, to be paid at: ${wallet.chain.dice.saplingAddress()} ${wallet.chain.dice.saplingAddress()}`,
    `# An amount in zatoshi and Enter pays it in; each Enter mines ${BLOCKS} blocks.`,
  ].join("\n"),
);
for await (const line of createInterface({ input: process.stdin })) {
  const amount = line.trim();
  if (/^[1-9]\d*$/.test(amount)) console.log(`# Paid in by ${wallet.deposit(amount)}`);
  else if (amount) console.log(`# No amount in zatoshi: ${amount}`);
  wallet.mine(BLOCKS);
}
