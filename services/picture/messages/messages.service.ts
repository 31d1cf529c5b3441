import { z } from "zod";
import { holds } from "../../../core/access/access.ts";
import { modeOf } from "../../../core/access/training-mode.ts";
import { data, list } from "../../../core/contract/answer.ts";
import type { Caller, Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Query } from "../../../core/records/documents.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { CursorMeta, feeding, Instant, PageMeta, paging, TextId, textId } from "../../../core/records/entity.ts";
import { LINE_CHANGED } from "../../../core/contract/live.ts";
import { invalid, notFound } from "../../../core/problem.ts";
import { nextId } from "../../../core/contract/repeatable.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { holderOf, primaryDid } from "../../identity/identity/client.ts";
import { Compartments } from "../../../core/access/place.ts";
import { Bus, busOf, demandOutside, openLine, placeToPublish } from "./bus.ts";
import { channelActions } from "./channels.actions.ts";
import { Channel, ChannelName } from "./channels.ts";
import {
  ChannelAdvanced,
  envelope,
  Message,
  MessagePublished,
  MessageType,
  MessageView,
  Payload,
  Priority,
  demandSame,
  messageView,
  SubscriptionAdvanced,
} from "./messages.ts";
import { endOf, everywhere } from "./place.ts";
import { ChannelSubscription } from "./subscriptions.ts";
import { receiptActions } from "./receipts.actions.ts";
import { standingActions } from "./standing.actions.ts";

const set = "problemSetId";
const reading = { set, may: "messages:read" };
const MOST_GATHERED = 10_000;

/** Messages that name somebody, for their export: as they see them. */
async function gathered(host: Host, caller: Caller, query: Query): Promise<MessageView[]> {
  const found: Message[] = [];
  if (!holds(caller.meta.actor?.permits ?? [], "messages:read")) return [];
  for await (const slice of host.store(Message).slices(caller, query)) {
    found.push(...slice);
    if (found.length > MOST_GATHERED) break;
  }
  return found.map(messageView);
}
/** What was said stays where it was said: the digests of those who heard it are over it. */
const stays = async (): Promise<void> => {};

export default {
  name: "messages",
  metadata: {
    description:
      "The message bus between members and systems of a problem set: channels, subscriptions, delivery " +
      "until acknowledged.",
  },
  settings: { rest: "/messages" },
  mixins: [
    domain({
      entities: [Channel, Message, ChannelSubscription],
      live: [MessagePublished],
      personal: [
        {
          what: "Messages you published",
          gather(this: Host, userId: string, caller: Caller) {
            return gathered(this, caller, { createdBy: userId });
          },
          erase: stays,
        },
        {
          what: "Messages sent to you",
          gather(this: Host, userId: string, caller: Caller) {
            return gathered(this, caller, { to: { $in: [endOf("operational", userId), endOf("training", userId)] } });
          },
          erase: stays,
        },
        { what: "Subscriptions to channels", entity: ChannelSubscription, by: "userId", erasure: "remove" },
      ],
      keeps: [
        {
          entity: Message,
          days: ({ env }) => env.MESSAGE_DAYS,
          leaving(this: Host, ids) {
            return busOf(this).ledger.beforeRemoval(ids);
          },
        },
      ],
    }),
  ],
  events: {
    [ChannelAdvanced.name]: {
      context: true,
      handler(this: Host, { params }: Ctx<{ channelId: string; sequence: number }>) {
        busOf(this)?.relay.advanced(params.channelId, params.sequence);
      },
    },
    [SubscriptionAdvanced.name]: {
      context: true,
      handler(this: Host, { params }: Ctx<{ subscriptionId: string }>) {
        busOf(this)?.relay.moved(params.subscriptionId);
      },
    },
    [LINE_CHANGED]: {
      context: true,
      handler(this: Host, { params }: Ctx<{ stands: boolean }>) {
        if (params.stands) busOf(this)?.relay.lookAgain();
      },
    },
  },
  async started(this: Host & { bus: Bus }) {
    this.bus = new Bus(this);
  },
  async stopped(this: Host) {
    busOf(this)?.relay.close();
    await busOf(this)?.ledger.settle();
  },

  actions: {
    ...channelActions,
    ...standingActions,
    ...receiptActions,

    publish: endpoint({
      rest: "POST /",
      summary: "Publish a message",
      tool: "publish_message",
      permit: "signed-in",
      within: { set, may: "messages:publish" },
      body: {
        channel: ChannelName.optional(),
        problemSetId: TextId.optional().describe(
          "The problem set that the channel lies in; absent for a channel of the platform's.",
        ),
        compartments: Compartments,
        ...envelope,
        payload: Payload,
      },
      returns: data(MessageView),
      status: 201,
      errors: {
        409: "The problem set is archived, or something else was published with this `dedupeId`.",
        422: "There are too many channels (`TOO_MANY_CHANNELS`).",
      },
      example: { channel: "convoys", type: "logistics.convoy.departed", payload: { convoy: "C-7", vehicles: 12 } },
      description:
        "Publishes into a channel, which is created if needed (`GET /api/messages/channels` gives the " +
        "limits), or, without a channel, to the holder of `destination` alone. It is durable when the " +
        "answer arrives. It gets the next number of its channel.",
      async handler(ctx) {
        const { channel, problemSetId, compartments, payload, ...given } = ctx.params;
        const actor = ctx.meta.actor!;
        // Taken before the id of a new channel, which only the first run creates: so a repetition gets the same one.
        const id = nextId(ctx, Message.name);
        if (given.expiresAt !== undefined && given.expiresAt <= iso(this.world.clock.now()))
          throw invalid([{ path: "expiresAt", message: "A message expires in the future." }]);
        const source = actor.did ?? (await primaryDid(this, actor.userId));
        if (channel !== undefined) demandOutside(actor, ctx.params, "messages:publish");
        const place =
          channel === undefined
            ? await lineTo(this, ctx, given.destination, { problemSetId, compartments })
            : await placeToPublish(this, ctx, { channel, problemSetId, compartments });
        const message = await busOf(this).sequencer.publish(ctx, place, { ...given, source, payload }, id);
        demandSame(message, { type: given.type, payload });
        return messageView(message);
      },
    }),

    list: endpoint({
      rest: "GET /",
      summary: "List messages that you may see, newest first",
      tool: "list_messages",
      permit: "messages:read",
      within: reading,
      query: {
        source: z.string().max(500).optional().describe("DID of who published it."),
        destination: z.string().max(500).optional().describe("DID of whom it is for."),
        type: MessageType.optional(),
        channel: ChannelName.optional(),
        problemSetId: TextId.optional(),
        correlationId: z.string().min(1).max(200).optional(),
        priority: Priority.optional(),
        from: Instant.optional().describe("Published then or later."),
        to: Instant.optional().describe("Published then or before."),
        cursor: feeding.cursor,
        ...paging,
      },
      returns: list(
        MessageView,
        CursorMeta.extend(PageMeta.pick({ total: true, more: true, page: true }).partial().shape),
      ),
      description:
        "Page with `page`, which gives a total, or with `cursor`, taken from `meta.next` of the previous " +
        "answer, whose cost does not grow with the position.",
      async handler(ctx) {
        const { cursor, page, limit, from, to, ...equal } = ctx.params;
        const query: Query = {
          ...Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)),
          ...((from || to) && { createdAt: { ...(from && { $gte: from }), ...(to && { $lte: to }) } }),
        };
        const store = this.store(Message);
        if (cursor !== undefined || page === 1) {
          const [{ data: found, meta }, total] = await Promise.all([
            store.feed(
              ctx,
              { limit, ...(cursor !== undefined && { cursor }) },
              equal.problemSetId === undefined ? everywhere(ctx.meta.actor!, query) : query,
            ),
            cursor === undefined ? store.total(ctx, query) : undefined,
          ]);
          return {
            data: newestFirst(found).map(messageView),
            meta: { ...meta, ...(total && { ...total, page }) },
          };
        }
        const { data: found, meta } = await store.page(ctx, { page, limit }, query);
        return { data: newestFirst(found).map(messageView), meta: { ...meta, next: null } };
      },
    }),

    get: endpoint({
      rest: "GET /:messageId",
      summary: "Read a message",
      permit: "messages:read",
      on: Message,
      by: "messageId",
      within: reading,
      returns: data(MessageView),
      handler: (_ctx, message) => messageView(message),
    }),

    listThread: endpoint({
      rest: "GET /thread/:correlationId",
      summary: "Read a thread in order of publication",
      permit: "messages:read",
      path: { correlationId: textId(200) },
      query: feeding,
      returns: list(MessageView, CursorMeta),
      description: "What you may see of it, over all channels and direct messages; 404 if that is nothing.",
      async handler(ctx) {
        const { correlationId, limit, cursor } = ctx.params;
        const { data: found, meta } = await this.store(Message).feed(
          ctx,
          { limit, order: "createdAt", ...(cursor !== undefined && { cursor }) },
          { correlationId },
        );
        if (!found.length && cursor === undefined) throw notFound("thread", correlationId);
        return { data: found.sort(inOrder).map(messageView), meta };
      },
    }),
  },
} satisfies MeshService;

/** What one channel took at the same instant comes by its numbers. */
const inOrder = (one: Message, other: Message): number =>
  one.createdAt.localeCompare(other.createdAt) ||
  one.channelId.localeCompare(other.channelId) ||
  one.sequence - other.sequence;

const newestFirst = (messages: Message[]): Message[] => messages.sort((one, other) => inOrder(other, one));

/** The line to somebody, for a direct message of the caller's. */
async function lineTo(
  host: Host,
  ctx: Ctx<unknown>,
  destination: string | undefined,
  { problemSetId, compartments }: { problemSetId?: string | undefined; compartments: readonly string[] },
): Promise<Channel> {
  const actor = ctx.meta.actor!;
  if (destination === undefined)
    throw invalid([{ path: "channel", message: "Send a channel, or the destination of a direct message." }]);
  if (problemSetId !== undefined || compartments.length)
    throw invalid([
      {
        path: problemSetId === undefined ? "compartments" : "problemSetId",
        message: "A direct message lies in no problem set: send a channel with it.",
      },
    ]);
  const receiver = await holderOf(host, destination);
  if (receiver === undefined) throw invalid([{ path: "destination", message: "Nobody here holds this DID." }]);
  const mode = modeOf(actor);
  const ends = { from: endOf(mode, actor.userId), to: endOf(mode, receiver) };
  return { ...(await openLine(host, ctx, ends)), ...ends };
}
