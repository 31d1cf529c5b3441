import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import { audienceOf } from "../../place.ts";
import type { Alarm } from "./alarms.ts";
import { AlarmChanged } from "./telemetry.ts";

/** Tells whoever looks on now; readings are taken whether or not that succeeds. */
export async function tellAlarm(host: Host, alarm: Alarm): Promise<void> {
  const { id: alarmId, resourceId, severity, state, acknowledgedAt } = alarm;
  await live(host, {
    event: AlarmChanged,
    to: audienceOf("telemetry", alarm),
    data: { alarmId, resourceId, severity, state, acknowledged: acknowledgedAt !== undefined },
  }).catch((error: Error) => host.logger.warn(`An alarm was not told: ${error.message}`));
}
