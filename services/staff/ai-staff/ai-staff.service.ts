import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn } from "../../../core/events/event.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import type { StaffHost } from "../staff-host.ts";
import { replyJob, sweep } from "../reply-writing.ts";
import { annotationActions } from "./annotations/annotations.actions.ts";
import { Annotation } from "./annotations/annotations.ts";
import { chatActions } from "./chat/chat.actions.ts";
import { ChatDelta, ChatDone, ChatMessage } from "./chat/chat.ts";
import { REPLY, staffReplies } from "./chat/replying.ts";
import * as events from "./events.ts";
import { feedActions } from "./feed/feed.actions.ts";
import { FeedChanged, FeedItem, Mark, ReadAll } from "./feed/feed.ts";
import { routeActions } from "./routing/routing.actions.ts";
import { Route } from "./routing/routing.ts";

const SWEEP_MS = 2_000;
const KEPT_DAYS = 400;
const days = (): number => KEPT_DAYS;
const STAYS = "What the staff was told stays on record with the problem set, under an id that leads to nobody.";

export default {
  name: "ai-staff",
  metadata: { description: "The AI staff of a problem set: its feed, its chat, and its notes on records." },
  settings: { rest: "/ai-staff" },
  mixins: [
    domain({
      entities: [FeedItem, Mark, ReadAll, Annotation, ChatMessage, Route],
      books: [Mark, ReadAll, Route],
      tells: () => eventsIn(events),
      live: [FeedChanged, ChatDelta, ChatDone],
      jobs: { [REPLY]: replyJob(staffReplies) },
      schedules: {
        sweep: {
          everyMs: SWEEP_MS,
          run(this: Host) {
            return sweep(this, staffReplies);
          },
        },
      },
      personal: [
        { what: "What you asked the staff", entity: ChatMessage, by: "by", erasure: "remove" },
        { what: "What you read on the staff's feed", entity: Mark, by: "by", erasure: "remove" },
        { what: "When you read all of a feed", entity: ReadAll, by: "by", erasure: "remove" },
        { what: "What you put on the staff's feed", entity: FeedItem, by: "createdBy", erasure: { keep: STAYS } },
        { what: "Notes that you proposed", entity: Annotation, by: "createdBy", erasure: { keep: STAYS } },
        { what: "Notes that you decided about", entity: Annotation, by: "decidedBy", erasure: { keep: STAYS } },
      ],
      keeps: [
        { entity: FeedItem, days },
        { entity: Mark, days },
        { entity: ChatMessage, days },
        { entity: Annotation, days, where: { status: { $in: ["dismissed", "resolved"] } } },
      ],
    }),
  ],
  actions: {
    ...feedActions,
    ...annotationActions,
    ...chatActions,
    ...routeActions,
  },

  created(this: StaffHost) {
    this.meshServices = () => commonsOf(this.broker).services;
  },
} satisfies MeshService;
