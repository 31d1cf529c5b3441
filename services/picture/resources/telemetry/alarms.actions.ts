import { z } from "zod";
import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { alikeIn, askedOutside, mayOutside, outsideAlone } from "../../place.ts";
import { factsInSet, ThresholdAcknowledged } from "../events.ts";
import { READ, REPORT, reading, reporting } from "../registry/permits.ts";
import { Resource } from "../registry/resources.ts";
import { tellAlarm } from "./alarming.ts";
import { AcknowledgementNote, Alarm } from "./alarms.ts";
import { Value } from "./telemetry.ts";

const AlarmView = Alarm.view.extend({
  value: Value.optional(),
  resource: z.string().optional().describe("The name of the resource."),
  unit: z.string().optional().describe("The unit of the series, where the resource declares one."),
});

/** An alarm with what its resource says of itself. */
const shown = (alarm: Alarm, resource: Resource | undefined) => ({
  ...alarm,
  resource: resource?.name,
  unit: resource?.series.find(({ key }) => key === alarm.key)?.unit,
});

/** The same of many resources: whoever sees an alarm sees its resource. */
async function shownAll(host: Host, caller: Caller, alarms: readonly Alarm[]) {
  const ids = new Set(alarms.map(({ resourceId }) => resourceId));
  const resources = new Map((await host.store(Resource).many(caller, [...ids])).map((one) => [one.id, one]));
  return alarms.map((alarm) => shown(alarm, resources.get(alarm.resourceId)));
}

export const alarmActions = {
  "alarms.listAll": endpoint({
    rest: "GET /alarms",
    summary: "List the alarms of all resources that you see, the newest first",
    permit: READ,
    within: reading,
    beyond: true,
    query: { ...Alarm.query, ...outsideAlone },
    returns: list(AlarmView),
    tool: "list_alarms",
    description: "Open ones unless `state` says otherwise, acknowledged or not.",
    async handler(ctx) {
      const { outside, ...asked } = ctx.params;
      const { problemSetId, state = "open" } = asked;
      const place = askedOutside(ctx.meta.actor!, { outside, problemSetId });
      const page = await this.store(Alarm).page(ctx, { ...asked, state }, place);
      return { ...page, data: await shownAll(this, ctx, page.data) };
    },
  }),

  "alarms.list": endpoint({
    rest: "GET /:id/alarms",
    summary: "List the alarms raised by the thresholds of a resource",
    permit: READ,
    within: reading,
    on: Resource,
    beyond: true,
    query: { ...paging },
    returns: list(AlarmView),
    async handler(ctx, resource) {
      const asked = { ...alikeIn(resource), resourceId: resource.id };
      const page = await this.store(Alarm).page(ctx, ctx.params, asked);
      return { ...page, data: page.data.map((alarm) => shown(alarm, resource)) };
    },
  }),

  "alarms.acknowledge": endpoint({
    rest: "POST /:id/alarms/:alarmId/acknowledge",
    summary: "Acknowledge an alarm: you have seen it, and see to it",
    permit: "signed-in",
    within: reporting,
    on: Resource,
    when: mayOutside(REPORT),
    beyond: true,
    path: { alarmId: TextId },
    body: { note: AcknowledgementNote.optional() },
    returns: data(AlarmView),
    description: "It changes nothing of what raised the alarm, which is over once its readings say so.",
    errors: { 409: "Somebody acknowledged it before." },
    example: { note: "The pump crew is on its way." },
    async handler(ctx, resource) {
      const { alarmId, note } = ctx.params;
      const alarms = this.store(Alarm);
      const alarm = await alarms.get(ctx, alarmId);
      if (alarm.resourceId !== resource.id) throw notFound("alarm", alarmId);
      if (alarm.acknowledgedAt !== undefined) {
        const { acknowledgedBy, acknowledgedAt, acknowledgedNote } = alarm;
        throw conflict("The alarm was acknowledged before.", { acknowledgedBy, acknowledgedAt, acknowledgedNote });
      }
      const { threshold, key, severity } = alarm;
      const by = actorOf(ctx);
      const at = iso(this.world.clock.now());
      const acknowledged = await alarms.revise(
        ctx,
        alarm,
        { acknowledgedBy: by, acknowledgedAt: at, ...(note !== undefined && { acknowledgedNote: note }) },
        { facts: factsInSet(ThresholdAcknowledged, resource, by, { threshold, key, severity, at }) },
      );
      await tellAlarm(this, acknowledged);
      return shown(acknowledged, resource);
    },
  }),
};
