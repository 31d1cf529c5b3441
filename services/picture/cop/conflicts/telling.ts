import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import { audienceOf, type Place } from "../../place.ts";
import { CopConflictChanged, MOST_TOLD } from "../events.ts";

type Told = Place & { id: string };

/** Tells those who look on, and are read into all that contradicts itself, which conflicts are open now, and which ended. */
export async function tellConflicts(
  host: Host,
  { opened = [], ended = [] }: { opened?: readonly Told[]; ended?: readonly Told[] },
): Promise<void> {
  const placeKey = ({ compartments }: Told): string => [...compartments].sort().join(" ");
  for (const alike of Map.groupBy([...opened, ...ended], placeKey).values()) {
    const key = placeKey(alike[0]!);
    const idsOf = (some: readonly Told[]): string[] => some.filter((one) => placeKey(one) === key).map(({ id }) => id);
    const [open, over] = [idsOf(opened), idsOf(ended)];
    await live(host, {
      event: CopConflictChanged,
      to: audienceOf("cop", alike[0]!),
      data: {
        opened: open.slice(0, MOST_TOLD),
        ended: over.slice(0, MOST_TOLD),
        more: Math.max(open.length, over.length) > MOST_TOLD,
      },
    });
  }
}
