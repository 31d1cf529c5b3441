import { Cron } from "croner";
import { z } from "zod";
import { asSystem, type Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { StartRefused } from "../../../core/start-refused.ts";
import { Repeatable } from "../../../core/contract/repeatable.ts";
import { Order } from "./briefings.ts";
import { orderBriefing, sourcesWanted } from "./ordering.ts";

/** Without a schedule the clock is still looked at once a day. */
const DAY_MS = 86_400_000;

/** Milliseconds until the schedule's next time. */
export function untilNext({ world: { env, clock } }: Host): number {
  const next = env.BRIEFING_CRON && new Cron(env.BRIEFING_CRON, { timezone: "UTC" }).nextRun(new Date(clock.now()));
  return next ? Math.min(DAY_MS, Math.max(1_000, next.getTime() - clock.now())) : DAY_MS;
}

/**
 * Makes the scheduled briefing of this minute, once over all nodes and restarts: its record is seeded by the minute.
 */
export async function scheduled(this: Host): Promise<void> {
  const { env, clock } = this.world;
  if (!env.BRIEFING_CRON) return;
  // A timer may be a little early or late; the minute is what counts.
  const now = new Date(Math.floor((clock.now() + 1_000) / 60_000) * 60_000);
  const due = new Cron(env.BRIEFING_CRON, { timezone: "UTC" }).match(now);
  if (!due) return;
  const caller: Caller = {
    ...asSystem("briefings"),
    locals: { repeatable: new Repeatable(`scheduled briefing ${now.toISOString()}`) },
  };
  await orderBriefing(
    this,
    caller,
    z.object(Order).parse({}),
    await sourcesWanted(this, undefined),
    env.BRIEFING_CHANNELS,
  );
}

/**
 * Checks the channels of the schedule at the start, since nobody waits for its answer. Throws StartRefused for a
 * channel that does not exist or is not configured.
 */
export function examineChannels({ world, logger }: Host): void {
  const names = world.env.BRIEFING_CHANNELS;
  if (!names.length) return;
  const known = world.channels.known();
  for (const name of names) {
    if (!world.channels.knows(name))
      throw new StartRefused(
        `BRIEFING_CHANNELS: there is no channel ${name}; there are ${known.map((one) => one.name).join(", ")}.`,
      );
    const lacking = known.find((one) => one.name === name && !one.configured);
    if (lacking) logger.warn(`BRIEFING_CHANNELS: nothing is sent by ${name}, which needs ${lacking.needs}.`);
  }
}
