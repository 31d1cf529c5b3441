import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { handDown, passDeadlines, takeUp } from "./escalating.ts";
import { Gate } from "./gates.ts";
import * as events from "./events.ts";
import { GateDecided, GateEscalated } from "./events.ts";
import { gateActions } from "./gates.actions.ts";
import { decidingActions } from "./deciding.actions.ts";
import { meshActions } from "./mesh.actions.ts";

const DEADLINES_EVERY_MS = 2_000;

export default {
  name: "gates",
  metadata: { description: "Decisions that other steps wait for: submitted, approved or rejected, escalated." },
  settings: { rest: "/gates" },
  mixins: [
    domain({
      entities: [Gate],
      tells: () => eventsIn(events),
      personal: [
        commonWork("Decision gates that you opened", Gate),
        commonWork("Decision gates that you submitted", Gate, "submittedBy"),
        commonWork("Decision gates that you decided", Gate, "decidedBy"),
      ],
      hears: [on(GateEscalated, takeUp), on(GateDecided, handDown)],
      schedules: { deadlines: { everyMs: DEADLINES_EVERY_MS, run: passDeadlines } },
    }),
  ],

  actions: { ...gateActions, ...decidingActions, ...meshActions },
} satisfies MeshService;
