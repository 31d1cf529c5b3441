import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";

let count = 0;
const TYPE = "rows.row.made";

/** A channel of the desk's that its commander subscribes to, with one message. */
async function heard(
  at: TestWorld,
  rules: object = {},
): Promise<{ channel: string; problemSetId: string; id: string }> {
  const { id: problemSetId } = await desk(at);
  const channel = `row-${++count}`;
  await made(at, "POST", `/api/messages/channels/${channel}/subscribe`, { problemSetId, ...rules });
  return {
    channel,
    problemSetId,
    id: (await made(at, "POST", "/api/messages", { problemSetId, channel, type: TYPE, payload: { row: count } })).id,
  };
}
async function taken(at: TestWorld, rules?: object): Promise<{ channel: string; problemSetId: string; id: string }> {
  const one = await heard(at, rules);
  await made(at, "POST", `/api/messages/channels/${one.channel}/next`, { problemSetId: one.problemSetId });
  return one;
}
const token = async (at: TestWorld): Promise<string> => (await desk(at)).commander.token;

export const requests: Rows["requests"] = {
  "POST /api/messages": async (at) => ({
    path: "/api/messages",
    as: await token(at),
    body: { channel: `once-${++count}`, problemSetId: (await desk(at)).id, type: TYPE, payload: { text: "Row" } },
    effect: stored("messages"),
  }),
  "POST /api/messages/:messageId/acknowledge": async (at) => ({
    path: `/api/messages/${(await taken(at)).id}/acknowledge`,
    as: await token(at),
    body: { cumulative: true },
  }),
  "POST /api/messages/:messageId/refuse": async (at) => ({
    path: `/api/messages/${(await taken(at)).id}/refuse`,
    as: await token(at),
    body: { receipt: 1, final: true },
  }),
  "POST /api/messages/:messageId/extend": async (at) => ({
    path: `/api/messages/${(await taken(at)).id}/extend`,
    as: await token(at),
    body: { receipt: 1 },
  }),
  "POST /api/messages/channels/:channel/subscribe": async (at) => ({
    path: `/api/messages/channels/once-${++count}/subscribe`,
    as: await token(at),
    body: { from: "first", problemSetId: (await desk(at)).id },
    effect: stored("messages_subscriptions"),
  }),
  "POST /api/messages/channels/:channel/next": async (at) => {
    const { channel, problemSetId } = await heard(at);
    return { path: `/api/messages/channels/${channel}/next`, as: await token(at), body: { limit: 5, problemSetId } };
  },
  "POST /api/messages/dead-letters/:id/redeliver": async (at) => {
    const { id } = await taken(at, { ackWaitSeconds: 1, mostDeliveries: 1 });
    at.clock.advance(1_100);
    await made(at, "GET", "/api/messages/dead-letters");
    return { path: `/api/messages/dead-letters/${id}/redeliver`, as: await token(at) };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const channel = text.replaceAll(" ", "-");
  await made(
    at,
    "POST",
    `/api/messages/channels/${channel}/subscribe`,
    { problemSetId, compartments, from: "first" },
    by,
  );
  const { id } = await made(
    at,
    "POST",
    "/api/messages",
    {
      problemSetId,
      compartments,
      channel,
      type: TYPE,
      correlationId: channel,
      dedupeId: `${text} ${++count}`,
      payload: { text },
    },
    by,
  );
  await made(at, "POST", `/api/messages/channels/${channel}/next`, { problemSetId, compartments }, by);
  return {
    "/api/messages/:messageId": id,
    "/api/messages/channels/:channel": channel,
    "/api/messages/thread/:correlationId": channel,
  };
}
