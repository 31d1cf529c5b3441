import { walletStandIn } from "../adapters/wallet/stand-in.ts";

/**
 * Serves the stand-in of the shielded wallet on loopback, for trials and fuzzing: its settings go to the terminal as
 * lines of an environment.
 */
const wallet = await walletStandIn({ auto: true });
console.log(
  [
    `SHIELDED_RPC_URL=${wallet.url}`,
    `SHIELDED_RPC_USER=${wallet.user}`,
    `SHIELDED_RPC_PASS=${wallet.pass}`,
    `SHIELDED_T_ADDRESS=${wallet.tAddress}`,
    `SHIELDED_Z_ADDRESS=${wallet.zAddress}`,
  ].join("\n"),
);
