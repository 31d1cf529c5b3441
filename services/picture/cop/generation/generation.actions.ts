import { z } from "zod";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { CursorMeta, feeding, MOST_ROWS, TextId } from "../../../../core/records/entity.ts";
import { SourceChanged, WatchTurned } from "../events.ts";
import { Conflict } from "../conflicts/conflicts.ts";
import { Feedback, Layer, LAYER_STATES } from "../layers/layers.ts";
import { askedOutside, factsInSet, outsideAlone, placeFor } from "../../place.ts";
import { askedPicture, pictureOf } from "../pictures.ts";
import { Linkage } from "../linkages/linkages.ts";
import { LayerActivity } from "./activity.ts";
import { GENERATE } from "./generating.ts";
import { LayerWatch, watchId } from "./watches.ts";

const set = "problemSetId";
const reading = { set, may: "cop:read" };
const WATCH = "cop:watch";
const watching = { set, may: WATCH };
const Reason = z.string().trim().min(3).max(400).optional();
const where = {
  problemSetId: TextId.optional().describe(
    "The problem set whose picture it is; without it, the one for everybody in your mode.",
  ),
  reason: Reason,
};

const Status = z
  .object({
    layers: z.record(z.enum(LAYER_STATES), z.int()).describe("How many you see, by state."),
    watches: z
      .array(LayerWatch.view)
      .describe("Pictures that are watched, or were: of a problem set, or of everybody of your mode."),
    generation: z.object({
      lastAt: z.string().nullable(),
      last: LayerActivity.view.nullable().describe("The agents' latest acts that you may see."),
    }),
    conflicts: z.object({ open: z.int() }),
    linkages: z.object({ pending: z.int() }),
    feedback: z.object({ open: z.int() }),
  })
  .meta({ id: "CopStatus" });

export const generationActions = {
  getStatus: endpoint({
    rest: "GET /status",
    summary: "Report the state of picture generation and the number of layers",
    permit: "signed-in",
    within: reading,
    query: { problemSetId: TextId.optional().describe("Without it, all that you can see."), ...outsideAlone },
    returns: data(Status),
    tool: "cop_status",
    description: "Counts only what you may see.",
    handler(ctx) {
      return statusOf(this, ctx, ctx.params);
    },
  }),

  "agents.trigger": endpoint({
    rest: "POST /agents/trigger",
    summary: "Regenerate a picture now",
    permit: "signed-in",
    within: watching,
    body: where,
    returns: data(z.object({ jobId: z.string(), status: z.string() })),
    status: 202,
    description: "While it is being generated, the same job is returned. `GET /api/jobs/{jobId}` shows the progress.",
    example: { problemSetId: "the problem set's id", reason: "Before the briefing at six." },
    async handler(ctx) {
      const { reason, ...where } = ctx.params;
      const { problemSetId } = where;
      const picture = pictureOf(placeFor(ctx.meta.actor!, where, WATCH));
      const job = await this.jobs.add(
        GENERATE,
        { picture, ...where, ...(reason && { reason }) },
        { by: actorOf(ctx), onlookers: problemSetId === undefined ? "everybody" : { problemSetId }, key: picture },
      );
      return { jobId: job.id, status: job.status };
    },
  }),

  "agents.start": endpoint({
    rest: "POST /agents/polling/start",
    summary: "Start watching a picture",
    permit: "signed-in",
    within: watching,
    body: where,
    returns: data(LayerWatch.view),
    description:
      "Watching continues after restarts, and ends when the problem set is archived. Starting it twice changes nothing.",
    example: { problemSetId: "the problem set's id" },
    handler(ctx) {
      return turn(this, ctx, ctx.params, true);
    },
  }),

  "agents.stop": endpoint({
    rest: "POST /agents/polling/stop",
    summary: "Stop watching a picture",
    permit: "signed-in",
    within: watching,
    body: where,
    returns: data(LayerWatch.view),
    example: { problemSetId: "the problem set's id", reason: "The exercise is over." },
    handler(ctx) {
      return turn(this, ctx, ctx.params, false);
    },
  }),

  "agents.getActivity": endpoint({
    rest: "GET /agents/activity",
    summary: "List recent activity of the picture's agents, newest first",
    permit: "signed-in",
    within: reading,
    query: {
      problemSetId: TextId.optional(),
      ...outsideAlone,
      ...feeding,
    },
    returns: list(LayerActivity.view, CursorMeta),
    handler(ctx) {
      const { problemSetId, outside, ...window } = ctx.params;
      return this.store(LayerActivity).feed(ctx, window, lookedAt(ctx, { problemSetId, outside }));
    },
  }),
};

interface PictureAsked {
  problemSetId?: string | undefined;
  outside: boolean;
}

/** The pictures of which something is told: one, or all that the caller sees. */
function lookedAt({ meta: { actor } }: Ctx<unknown>, asked: PictureAsked) {
  const { audience } = askedOutside(actor!, asked);
  const { problemSetId } = asked;
  if (audience !== undefined) return [{ audience }];
  return problemSetId !== undefined
    ? [{ problemSetId }]
    : [...Object.keys(actor?.memberships ?? {}).map((one) => ({ problemSetId: one })), askedPicture(actor!, undefined)];
}

async function statusOf(host: Host, ctx: Ctx<unknown>, asked: PictureAsked) {
  const { problemSetId } = asked;
  const where = problemSetId === undefined ? askedOutside(ctx.meta.actor!, asked) : { problemSetId };
  const count = (state: string) => host.store(Layer).count(ctx, { ...where, state });
  const [layers, watches, activity, open, pending, remarks] = await Promise.all([
    Promise.all(LAYER_STATES.map(async (state) => [state, await count(state)] as const)),
    host.store(LayerWatch).find(ctx, where, { limit: MOST_ROWS }),
    host.store(LayerActivity).feed(ctx, { limit: 1 }, lookedAt(ctx, asked)),
    host.store(Conflict).count(ctx, { ...where, state: "open" }),
    host.store(Linkage).count(ctx, { ...where, status: "pending" }),
    host.store(Feedback).count(ctx, { ...where, status: "open" }),
  ]);
  const last = activity.data[0] ?? null;
  return {
    layers: Object.fromEntries(layers) as Record<(typeof LAYER_STATES)[number], number>,
    watches,
    generation: { lastAt: last?.createdAt ?? null, last },
    conflicts: { open },
    linkages: { pending },
    feedback: { open: remarks },
  };
}

/** Turns a watch on or off; of two who do the same at once both find it done. */
async function turn(
  host: Host,
  ctx: Ctx<unknown>,
  { problemSetId, reason }: { problemSetId?: string | undefined; reason?: string | undefined },
  on: boolean,
): Promise<LayerWatch> {
  const by = actorOf(ctx);
  const since = iso(host.world.clock.now());
  const place = placeFor(ctx.meta.actor!, { problemSetId }, WATCH);
  const picture = pictureOf(place);
  const facts = factsInSet(WatchTurned, { ...place, id: picture, name: "watch" }, by, { on });
  const given = { id: watchId(picture), ...place, on, by, since, ...(reason && { reason }) };
  const { record, made } = await host.store(LayerWatch).createOnce(ctx, given, { facts });
  const watch = made
    ? record
    : await host
        .store(LayerWatch)
        .change(ctx, record.id, (now) => (now.on === on ? null : { on, by, since, reason: reason ?? null }), { facts });
  if (on) void SourceChanged.emit(host, { picture });
  return watch;
}
