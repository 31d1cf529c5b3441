import { lockFolder } from "../adapters/folder-lock.ts";
import { makeFolder } from "../adapters/folder.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { StartRefused } from "../core/start-refused.ts";
import { credentialFor, enrol, keepCredential, keptCredential } from "./enrolment.ts";
import { Face } from "./face.ts";
import { keptKey, type NodeKey } from "./key.ts";
import { HttpLink, type HubLink } from "./sync/link.ts";
import { Loop } from "./sync/loop.ts";
import { EdgeNode, FACT, type Enrolled, type HubState } from "./node.ts";
import { PACE, type RetryPace } from "./sync/retry-pace.ts";
import { routesOf } from "./routes.ts";
import { EdgeStore } from "./store.ts";
import { Sync } from "./sync/sync.ts";

export interface EdgeSettings {
  /** Where the node keeps its key, its records and what it has not sent. */
  folder: string;
  /** Address of the hub; needed once, to enrol. */
  hub?: string | undefined;
  /** Of the node's person, to enrol by, or to renew what the node shows its hub. */
  token?: string | undefined;
  name?: string | undefined;
  /** Problem sets that the node carries alone. */
  problemSetIds?: readonly string[] | undefined;
  /** 0 takes any that is free. */
  port?: number;
  clock?: Clock;
  pace?: RetryPace;
  tell?: (standing: HubState) => void;
  /** How the hub is reached; tests put a line of their own in between. */
  linkTo?: (hub: string) => HubLink;
}

/** A node that runs. */
export interface RunningEdge {
  node: EdgeNode;
  sync: Sync;
  loop: Loop;
  enrolled: Enrolled;
  /** Of the local face, and what opens it until the node ends. */
  url: string;
  token: string;
  close(): Promise<void>;
}

/**
 * Opens a node: enrolled before, or now by its person's token. It works whether or not the hub is there.
 * @throws StartRefused, Unreachable or Refused where it is not enrolled and cannot be
 */
export async function openEdge(settings: EdgeSettings): Promise<RunningEdge> {
  const { folder, port = 0, clock = systemClock, tell, pace = PACE, linkTo = (hub) => new HttpLink(hub) } = settings;
  makeFolder(folder);
  const unlock = lockFolder(folder);
  const store = new EdgeStore(folder);
  let link: HubLink | undefined;
  try {
    await store.open();
    const key = keptKey(folder);
    const known = await store.look((rows) => rows.fact<Enrolled>(FACT.enrolled));
    link = linkTo(hubOf(settings, known));
    const enrolled = await admitted(store, key, link, settings, known);
    const node = new EdgeNode(store, clock);
    const sync = new Sync(node, link, key, keptCredential(folder));
    // Of a purge that was cut off; what stands in its way is told at the end of the next round.
    await sync.clean().catch(() => {});
    const loop = new Loop(node, sync, tell, pace);
    const face = new Face(routesOf(node, loop));
    const url = await face.listen(port);
    const close = async (): Promise<void> => {
      await face.close();
      // A round that waits for the hub ends with its connection, and goes on at the next start.
      await Promise.all([loop.stop(), link!.close()]);
      await store.close();
      unlock();
    };
    return { node, sync, loop, enrolled, url, token: face.token, close };
  } catch (error) {
    await link?.close();
    await store.close();
    unlock();
    throw error;
  }
}

function hubOf({ hub }: EdgeSettings, known: Enrolled | undefined): string {
  if (known && hub !== undefined && new URL(hub).origin !== new URL(known.hub).origin)
    throw new StartRefused(`This node is enrolled at ${known.hub}; another hub needs a folder of its own.`);
  const found = known?.hub ?? hub;
  if (found === undefined) throw new StartRefused("The node is not enrolled yet: name its hub (--hub http://…).");
  return found;
}

/** As whom the hub knows the node; a token that was given renews what it shows there. */
async function admitted(
  store: EdgeStore,
  key: NodeKey,
  link: HubLink,
  { folder, hub, token, name = "edge", problemSetIds }: EdgeSettings,
  known: Enrolled | undefined,
): Promise<Enrolled> {
  if (token === undefined) {
    if (known) return known;
    throw new StartRefused(
      "The node is not enrolled yet: give it its person's token (--token-file FILE, or - to type it).",
    );
  }
  const enrolled = known ?? (await enrol(store, { link, key, hub: hub!, name, token, problemSetIds }));
  keepCredential(folder, await credentialFor({ link, name: enrolled.name, token }));
  return enrolled;
}
