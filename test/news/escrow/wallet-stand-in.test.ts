import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

it("the wallet's stand-in is paid in from the terminal, so that the escrow can be tried", async () => {
  const served = spawn(process.execPath, ["scripts/wallet-stand-in.ts"], { stdio: ["pipe", "pipe", "inherit"] });
  const told: string[] = [];
  const lines = createInterface({ input: served.stdout });
  lines.on("line", (line) => told.push(line));
  const until = async (found: (line: string) => boolean): Promise<string> => {
    while (!told.some(found)) await once(lines, "line");
    return told.find(found)!;
  };
  try {
    const addresses = (await until((line) => line.includes("Addresses of others"))).match(/zregtestsapling\w+/g);
    expect(new Set(addresses).size).toBe(2);
    await until((line) => line.includes("pays it in"));
    const env = Object.fromEntries(told.filter((line) => !line.startsWith("#")).map((line) => line.split("=")));
    served.stdin.write("250094113\n");
    await until((line) => line.startsWith("# Paid in by "));
    served.stdin.write("2.5\n");
    await until((line) => line === "# No amount in zatoshi: 2.5");
    const answer = await fetch(env["SHIELDED_RPC_URL"]!, {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa(`${env["SHIELDED_RPC_USER"]}:${env["SHIELDED_RPC_PASS"]}`)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "1.0", id: 1, method: "z_gettotalbalance", params: [1] }),
    });
    expect(((await answer.json()) as any).result.transparent).toBe("2.50094113");
  } finally {
    served.kill();
    await once(served, "exit");
  }
});
