import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { Ctx } from "../core/access/caller.ts";
import type { Dropping } from "../core/caches.ts";
import { ConfigurationChanged, DROPS, NODE_SERVICE } from "../core/contract/node.ts";
import type { Collection } from "../core/records/documents.ts";
import type { World } from "../core/world.ts";
import type { Commons } from "../mixins/domain.mixin.ts";
import { StateMeter } from "./node-state.ts";

/** Hints get lost: so often each node looks for itself. */
const LOOK_MS = 1_000;
const READING = "Reading what administrators set";

interface NodeService {
  broker: ServiceBroker;
  $looking: NodeJS.Timeout | undefined;
  $under: Promise<void> | undefined;
  $drops: Collection;
  $seen: number;
}

/**
 * What the mesh itself asks of each node: to look at what administrators set, to forget what it remembers, and how it is
 * doing.
 */
export function nodeService(
  world: World,
  { caches, outages }: Pick<Commons, "caches" | "outages">,
  areas: readonly string[],
): ServiceSchema {
  /** Forgets everything where caches were dropped without this node taking part. */
  async function catchUp(node: NodeService): Promise<void> {
    const last = (await node.$drops.findById(DROPS.id)) as { rev: number; nodes: string[] } | null;
    const rev = last?.rev ?? 0;
    if (rev === node.$seen) return;
    if (rev > node.$seen + 1 || !last?.nodes.includes(node.broker.nodeID)) caches.drop({});
    node.$seen = rev;
  }

  function look(this: NodeService): void {
    this.$under ??= Promise.all([world.configurations.look(), catchUp(this)])
      .then(
        () => outages.worked(READING),
        (error: Error) => outages.failed(READING, error),
      )
      .finally(() => {
        this.$under = undefined;
      });
  }

  const state = new StateMeter();

  return {
    name: NODE_SERVICE,
    events: {
      [ConfigurationChanged.name]: {
        context: true,
        // What cannot be read now is looked for again within a second.
        handler: () => world.configurations.look().catch(() => {}),
      },
    },
    actions: {
      versions: {
        visibility: "public",
        async handler(ctx: Ctx<object>) {
          refuseOthers(ctx);
          return world.configurations.versions;
        },
      },
      state: {
        visibility: "public",
        async handler(ctx: Ctx<object>) {
          refuseOthers(ctx);
          return state.tell(areas);
        },
      },
      letters: {
        visibility: "public",
        async handler(ctx: Ctx<object>) {
          refuseOthers(ctx);
          // Without a mail server they are in the process that wrote them, and nowhere else.
          return world.mail.configured ? [] : world.mail.outbox();
        },
      },
      drop: {
        visibility: "public",
        async handler(ctx: Ctx<Dropping>) {
          refuseOthers(ctx);
          return { count: caches.drop(ctx.params) };
        },
      },
    },
    async started(this: NodeService) {
      state.start();
      this.$drops = await world.documents.collection(DROPS.collection);
      this.$seen = ((await this.$drops.findById(DROPS.id)) as { rev: number } | null)?.rev ?? 0;
      this.$looking = setInterval(() => look.call(this), LOOK_MS);
    },
    async stopped(this: NodeService) {
      state.stop();
      clearInterval(this.$looking);
      await this.$under;
    },
  } as unknown as ServiceSchema;
}

function refuseOthers(ctx: Ctx<unknown>): void {
  if (ctx.meta.actor?.via !== "system") throw new TypeError("Only the mesh asks its nodes.");
}
