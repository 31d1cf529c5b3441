import { misspeltHere } from "../config/env.ts";
import { serveHealth } from "../mesh/health-port.ts";
import { serveOperators } from "../mesh/operator-socket.ts";
import { MemoryAtRest } from "../mesh/memory-at-rest.ts";
import { startMesh, type Mesh } from "../mesh/mesh.ts";
import { sayWhyNot, settingsHere } from "./refusal.ts";
import { whenToldToStop } from "./stopping.ts";
import { sayWhereThingsAre } from "./where-things-are.ts";

/** Starts a node by the process's environment and stops it cleanly on SIGTERM or SIGINT. */
async function main(): Promise<void> {
  let mesh: Mesh | undefined;
  let endHealth: (() => void) | undefined;
  let endOperators: (() => void) | undefined;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (!mesh) process.exit(0); // while still starting: at once
    mesh.broker.getLogger("mesh").info(`${signal}: finishing what was accepted…`);
    endOperators?.();
    await mesh.stop();
    endHealth?.();
    process.exit(0);
  };
  whenToldToStop((signal) => void stop(signal));
  // A port that is taken is an event of the server's: nobody waits for it.
  process.once("uncaughtException", sayWhyNot);
  mesh = await startMesh(settingsHere()).catch(sayWhyNot);
  process.off("uncaughtException", sayWhyNot);
  for (const line of misspeltHere()) mesh.broker.logger.warn(line);
  if (!mesh.url) endHealth = await serveHealth(mesh);
  endOperators = await serveOperators(mesh);
  await sayWhereThingsAre(mesh);
  new MemoryAtRest().watch();
}

await main();
