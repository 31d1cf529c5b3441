import { z } from "zod";
import { actorOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { invalid, invalidTransition } from "../../../../core/problem.ts";
import { closeOf, tellAlert } from "./alerting.ts";
import { Alert, isUsable, Monitor } from "./monitors.ts";

const set = "problemSetId";
const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

type Given = Pick<Monitor, "kind" | "q" | "rule" | "rate">;

/** Throws 400 for what does not fit together. */
function refuse({ kind, q, rule, rate }: Given, endsAt: string, now: number): void {
  const wrong = (path: string, message: string) => invalid([{ path, message }]);
  if (rule && kind !== "rule") throw wrong("rule", "Only a monitor of the kind `rule` has conditions.");
  if (kind === "rule" && !Object.keys(rule ?? {}).length) throw wrong("rule", "Name at least one condition.");
  if (rate && kind !== "rate") throw wrong("rate", "Only a monitor of the kind `rate` has these.");
  if (rate && rate.clear >= rate.factor) throw wrong("rate.clear", "It is less than `factor`.");
  if (!isUsable(q)) throw wrong("q", "Nothing fits this query.");
  if (Date.parse(endsAt) <= now) throw wrong("endsAt", "The end lies in the future.");
  if (Date.parse(endsAt) > now + MOST_DAYS * DAY_MS) throw wrong("endsAt", "The end lies at most a year ahead.");
}

export const monitorActions = {
  "monitors.create": endpoint({
    rest: "POST /threats/monitor",
    summary: "Start a monitor that watches the news for threats",
    permit: "signed-in",
    within: { set, may: "intelligence:watch" },
    body: { ...Monitor.create, endsAt: Monitor.create.endsAt.optional().describe("In 30 days without it.") },
    returns: data(Monitor.view),
    status: 201,
    description:
      "It covers news from now on. Each story raises one alert per window, which is counted up. A rate " +
      "is compared with its own history (EWMA): an alert opens `factor` standard deviations above " +
      "normal, after three windows, and closes below `clear`.",
    example: { problemSetId: "the problem set's id", name: "Dams", kind: "keyword", q: "dam (breach | crack)" },
    handler(ctx) {
      const now = this.world.clock.now();
      const endsAt = ctx.params.endsAt ?? iso(now + USUAL_DAYS * DAY_MS);
      refuse(ctx.params, endsAt, now);
      return this.store(Monitor).create(ctx, { ...ctx.params, endsAt, status: "active" });
    },
  }),

  "monitors.list": endpoint({
    rest: "GET /threats/monitors",
    summary: "List the monitors",
    permit: "signed-in",
    beyond: true,
    within: { set, may: "intelligence:read" },
    query: Monitor.query,
    returns: list(Monitor.view),
    handler(ctx) {
      return this.store(Monitor).page(ctx, ctx.params);
    },
  }),

  "monitors.end": endpoint({
    rest: "POST /threats/monitors/:monitorId/end",
    summary: "End a monitor early",
    permit: "signed-in",
    beyond: true,
    on: Monitor,
    by: "monitorId",
    within: { set, may: "intelligence:watch" },
    returns: data(Monitor.view),
    async handler(ctx, monitor) {
      if (monitor.status !== "active") throw invalidTransition("end", monitor.status, ["active"]);
      const ended = await this.store(Monitor).revise(ctx, monitor, { status: "ended" });
      await closeOf(this, monitor.id);
      return ended;
    },
  }),

  "alerts.list": endpoint({
    rest: "GET /threats/alerts",
    summary: "List the alerts that monitors raised",
    permit: "signed-in",
    within: { set, may: "intelligence:read" },
    query: Alert.query,
    returns: list(Alert.view),
    tool: "list_threat_alerts",
    description: "From all your problem sets, or from one.",
    handler(ctx) {
      return this.store(Alert).page(ctx, ctx.params);
    },
  }),

  "alerts.acknowledge": endpoint({
    rest: "POST /threats/alerts/:alertId/acknowledge",
    summary: "Acknowledge an alert",
    permit: "signed-in",
    on: Alert,
    by: "alertId",
    within: { set, may: "intelligence:acknowledge" },
    body: { note: z.string().trim().min(1).max(2_000).optional() },
    returns: data(Alert.view),
    description:
      "Marks it as known. An alert on a story closes when its window ends; an alert on a rate closes " +
      "when the rate is normal again.",
    errors: { 409: "It is acknowledged or closed already (`INVALID_TRANSITION`)." },
    async handler(ctx, alert) {
      if (alert.status !== "open") throw invalidTransition("acknowledge", alert.status, ["open"]);
      const now = iso(this.world.clock.now());
      const { note } = ctx.params;
      const acknowledged = await this.store(Alert).revise(ctx, alert, {
        ...{ status: "acknowledged", acknowledgedBy: actorOf(ctx), acknowledgedAt: now },
        ...(note !== undefined && { note }),
      });
      await tellAlert(this, acknowledged);
      return acknowledged;
    },
  }),
};
