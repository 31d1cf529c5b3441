import { actorOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { alikeIn, mayOutside } from "../../place.ts";
import { factsInSet, ThresholdAcknowledged } from "../events.ts";
import { READ, REPORT, reading, reporting } from "../registry/permits.ts";
import { Resource } from "../registry/resources.ts";
import { AcknowledgementNote, Alarm } from "./alarms.ts";
import { Value } from "./telemetry.ts";

const AlarmView = Alarm.view.extend({ value: Value.optional() });

export const alarmActions = {
  "alarms.list": endpoint({
    rest: "GET /:id/alarms",
    summary: "List the alarms raised by the thresholds of a resource",
    permit: READ,
    within: reading,
    on: Resource,
    beyond: true,
    query: { ...paging },
    returns: list(AlarmView),
    handler(ctx, resource) {
      return this.store(Alarm).page(ctx, ctx.params, { ...alikeIn(resource), resourceId: resource.id });
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
      if (alarm.acknowledgedAt !== undefined) throw conflict("The alarm was acknowledged before.");
      const { threshold, key, severity } = alarm;
      const by = actorOf(ctx);
      const at = iso(this.world.clock.now());
      return alarms.revise(
        ctx,
        alarm,
        { acknowledgedBy: by, acknowledgedAt: at, ...(note !== undefined && { acknowledgedNote: note }) },
        { facts: factsInSet(ThresholdAcknowledged, resource, by, { threshold, key, severity, at }) },
      );
    },
  }),
};
