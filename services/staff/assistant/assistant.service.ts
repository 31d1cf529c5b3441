import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import type { StaffHost } from "../staff-host.ts";
import { ApprovalDecided, ToolChanged } from "../agents/events.ts";
import { AT_ONCE, MOST_CLAIMS, replyJob, sweep } from "../reply-writing.ts";
import { ACT, drive, giveUp as giveUpAct, goOn, sweepActs } from "./acts/acting.ts";
import { actActions } from "./acts/acts.actions.ts";
import { Action, ActionChanged } from "./acts/acts.ts";
import { emergencyActions, sweepEmergencies } from "./emergencies/emergencies.actions.ts";
import { Emergency } from "./emergencies/emergencies.ts";
import * as events from "./events.ts";
import { healthActions } from "./health.ts";
import { messageActions } from "./messages/messages.actions.ts";
import { Message, ReplyDelta, ReplyDone } from "./messages/messages.ts";
import { assistantReplies, REPLY } from "./messages/replying.ts";
import { endTrust } from "./trust/ending.ts";
import { preferenceActions } from "./trust/preferences.actions.ts";
import { Preference } from "./trust/preferences.ts";

const SWEEP_MS = 2_000;
const KEPT_DAYS = 400;
const days = (): number => KEPT_DAYS;

export default {
  name: "assistant",
  metadata: { description: "Questions about a problem set, answered with citations." },
  settings: { rest: "/assistant" },
  mixins: [
    domain({
      entities: [Message, Action, Preference, Emergency],
      books: [Message, Action, Preference, Emergency],
      tells: () => eventsIn(events),
      hears: [on(ApprovalDecided, goOn), on(ToolChanged, endTrust)],
      live: [ReplyDelta, ReplyDone, ActionChanged],
      jobs: {
        [REPLY]: replyJob(assistantReplies),
        [ACT]: { attempts: MOST_CLAIMS, concurrency: AT_ONCE, run: drive, failed: giveUpAct },
      },
      schedules: {
        sweep: {
          everyMs: SWEEP_MS,
          async run(this: Host) {
            await sweep(this, assistantReplies);
            await sweepActs(this);
            await sweepEmergencies(this);
          },
        },
      },
      personal: [
        { what: "What you and the assistant said", entity: Message, by: "by", erasure: "remove" },
        { what: "What the assistant proposed to you", entity: Action, by: "by", erasure: "remove" },
        { what: "What you trusted the assistant with", entity: Preference, by: "by", erasure: "remove" },
        {
          what: "Emergency actions that you ordered",
          entity: Emergency,
          by: "by",
          erasure: { keep: "Who stopped agents, and why, stays on record under an id that leads to nobody." },
        },
      ],
      keeps: [
        { entity: Message, days },
        { entity: Action, days },
      ],
    }),
  ],
  actions: {
    ...healthActions,
    ...preferenceActions,
    ...messageActions,
    ...actActions,
    ...emergencyActions,
  },

  created(this: StaffHost) {
    this.meshServices = () => commonsOf(this.broker).services;
  },
} satisfies MeshService;
