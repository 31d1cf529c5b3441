import { performance } from "node:perf_hooks";
import { systemActor } from "../core/access/access.ts";
import { originOf } from "../core/access/origin.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** Prints the addresses of a node that is ready, and the link for a first administrator where there is none. */
export async function sayWhereThingsAre({ broker, url, world: { env } }: Mesh): Promise<void> {
  if (!url)
    return broker
      .getLogger("mesh")
      .info(
        `Node ${broker.nodeID} runs ${env.SERVICES?.join(", ") ?? broker.services.map(({ name }) => name).join(", ")}.`,
      );
  // Browsers know passkeys by a name, not by a number.
  const origin = originOf(env, Number(new URL(url).port));
  const lines = [
    `Signalmesh is ready after ${Math.round(performance.now())} ms.`,
    "",
    `  API      ${url}/api`,
    `  Docs     ${url}/api/docs`,
    `  Browser  ${origin}`,
    `  Health   ${url}/health/ready`,
  ];
  if (env.AUTH === "off") lines.push("", "  AUTH=off: everybody who reaches this address is system administrator.");
  else {
    const token = await broker
      .call<string | null, object>("auth.setupToken", {}, { meta: { actor: systemActor("start") } })
      .catch(() => null);
    if (token) lines.push("", `  First administrator: open ${origin}/setup#${token}`);
  }
  console.log(`\n${lines.join("\n")}\n`);
}
