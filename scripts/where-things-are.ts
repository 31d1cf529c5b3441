import { performance } from "node:perf_hooks";
import { systemActor } from "../core/access/access.ts";
import { originOf } from "../core/access/origin.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** Listening on all addresses, a gateway knows none by which it is reached. */
const EVERYWHERE = new Set(["0.0.0.0", "::"]);

/** Prints the addresses of a node that is ready, and the link for a first administrator where there is none. */
export async function sayWhereThingsAre({ broker, url, world: { env } }: Mesh): Promise<void> {
  const logger = broker.getLogger("mesh");
  const token = env.AUTH === "off" ? null : await setupToken(broker);
  if (!url) {
    const runs = env.SERVICES?.join(", ") ?? broker.services.map(({ name }) => name).join(", ");
    logger.info(`Node ${broker.nodeID} runs ${runs}.`);
    // Where the gateway is, this node knows by PUBLIC_URL alone.
    const origin = env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : "<address of the gateway>";
    if (token) logger.info(`First administrator: open ${origin}/setup#${token}`);
    return;
  }
  if (!env.PUBLIC_URL && EVERYWHERE.has(env.HOST))
    logger.warn(
      "PUBLIC_URL is not set: sessions of browsers, passkeys and mailed links need the address under which people " +
        "reach this gateway.",
    );
  // Browsers know passkeys by a name, not by a number.
  const origin = originOf(env, Number(new URL(url).port));
  const ready = `Signalmesh is ready after ${Math.round(performance.now())} ms.`;
  const places = { api: `${url}/api`, docs: `${url}/api/docs`, browser: origin, health: `${url}/health/ready` };
  const notes = [
    ...(env.AUTH === "off" ? ["AUTH=off: everybody who reaches this address is system administrator."] : []),
    ...(token ? [`First administrator: open ${origin}/setup#${token}`] : []),
  ];
  if (env.LOG_FORMAT === "json") {
    logger.info(ready, places);
    for (const note of notes) logger.info(note);
    return;
  }
  const addresses = [
    `  API      ${places.api}`,
    `  Docs     ${places.docs}`,
    `  Browser  ${places.browser}`,
    `  Health   ${places.health}`,
  ];
  const lines = [ready, "", ...addresses, ...notes.flatMap((note) => ["", `  ${note}`])];
  console.log(`\n${lines.join("\n")}\n`);
}

/** Nodes of identity alone say the link: a gateway may be there before any of them. */
async function setupToken(broker: Mesh["broker"]): Promise<string | null> {
  if (!broker.getLocalService("auth")) return null;
  return broker
    .call<string | null, object>("auth.setupToken", {}, { meta: { actor: systemActor("start") } })
    .catch(() => null);
}
