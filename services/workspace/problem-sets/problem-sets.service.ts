import { opener } from "../../../core/records/documents.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { activityActions, activityHearing } from "./activity/activity.actions.ts";
import * as activity from "./activity/activity.ts";
import { Activity, ActivityItem, ActivityRead, EscalationFired } from "./activity/activity.ts";
import { agentActions } from "./positions/agents.actions.ts";
import { closingActions } from "./compartments/closing.actions.ts";
import { forgetDissolved, settling } from "./compartments/closing.ts";
import { compartmentActions } from "./compartments/compartments.actions.ts";
import * as compartments from "./compartments/compartments.ts";
import { Compartment } from "./compartments/compartments.ts";
import { COMPARTMENTS_SHOWN, CompartmentAltered } from "./compartments/live.ts";
import { escalationActions } from "./escalations/escalations.actions.ts";
import { keepAppointments, reappoint, tellOfEscalation } from "./escalations/firing.ts";
import { Appointment, Escalation, Rule, Watch } from "./escalations/escalations.ts";
import { eraseInvitations, gatherInvitations, invitationActions } from "./invitations/invitations.actions.ts";
import * as invitations from "./invitations/invitations.ts";
import { Invitation } from "./invitations/invitations.ts";
import { heldRequests, joinRequestActions } from "./invitations/join-requests.actions.ts";
import { JoinRequest } from "./invitations/join-requests.ts";
import { AccessChanged } from "../../identity/auth/events.ts";
import { memberActions } from "./members/members.actions.ts";
import { AccessChanges, eraseChanges, gatherChanges } from "./members/access-changes.ts";
import { heldMemberships } from "./members/erasure.ts";
import { MembershipsByPerson } from "./members/memberships.ts";
import * as members from "./members/members.ts";
import { Member, MemberRemoved } from "./members/members.ts";
import { meshActions } from "./mesh.actions.ts";
import { ActivityWebhook, NotificationNew, tellDue, unsubscribe } from "./activity/notifying.ts";
import { subscriptionActions } from "./activity/notifications.actions.ts";
import { panelActions } from "./panels/panels.actions.ts";
import * as panels from "./panels/panels.ts";
import { PanelConfig } from "./panels/panels.ts";
import { positionActions, vacate } from "./positions/positions.actions.ts";
import * as positions from "./positions/positions.ts";
import { Position } from "./positions/positions.ts";
import { BUILD, buildScenario, stopBuild } from "./scenarios/build.ts";
import { scenarioActions } from "./scenarios/scenarios.actions.ts";
import * as scenarios from "./scenarios/scenarios.ts";
import { LinkedScenario, Material } from "./scenarios/scenarios.ts";
import { erasePrimaries, gatherPrimaries, setActions, type SetsHost } from "./sets/sets.actions.ts";
import * as sets from "./sets/sets.ts";
import { ProblemSet, ProblemSetChanged, ProblemSetCreated, ProblemSetRestored } from "./sets/sets.ts";
import { inheritFromParent, leaveTheirMissions } from "./passing-on.ts";
import { Notification, ActivitySubscription } from "./activity/subscriptions.ts";
import { withdrawals } from "./members/withdrawal.ts";

export default {
  name: "problem-sets",
  metadata: { description: "Workspaces: who is in them, their compartments, invitations, activity, scenarios." },
  settings: { rest: "/problem-sets" },
  mixins: [
    domain({
      entities: [
        ProblemSet,
        Member,
        Compartment,
        Invitation,
        JoinRequest,
        Position,
        PanelConfig,
        LinkedScenario,
        Material,
        Activity,
        ActivityRead,
        ActivitySubscription,
        Notification,
        Rule,
        Watch,
        Appointment,
        Escalation,
      ],
      books: [Watch],
      hears: [
        on(MemberRemoved, vacate),
        on(MemberRemoved, unsubscribe),
        on(MemberRemoved, leaveTheirMissions),
        on(ProblemSetCreated, inheritFromParent),
        on(ProblemSetChanged, inheritFromParent),
        on(ProblemSetRestored, reappoint),
        on(EscalationFired, tellOfEscalation),
        ...withdrawals,
        ...settling,
        activityHearing,
      ],
      tells: () => eventsIn(sets, members, compartments, invitations, positions, panels, scenarios, activity),
      learns: activity.learnKinds,
      live: [ActivityItem, NotificationNew, invitations.InvitationChanged, CompartmentAltered],
      shows: COMPARTMENTS_SHOWN,
      sends: [ActivityWebhook],
      rolls: { since: "membershipsSince", all: "membershipsOf" },
      waits: [{ of: Notification, field: "dueAt", since: "updatedAt" }],
      schedules: {
        tell: { everyMs: 1_000, run: tellDue },
        escalate: { everyMs: 1_000, run: keepAppointments },
        "forget-dissolved": { everyMs: 3_600_000, run: forgetDissolved },
      },
      keeps: [
        // A notification that is still to be sent, at the end of the day for instance, is kept until it is.
        { entity: Notification, days: ({ env }) => env.NOTIFICATION_DAYS, where: { dueAt: { $exists: false } } },
        { entity: Activity, days: ({ env }) => env.ACTIVITY_DAYS },
      ],
      jobs: { [BUILD]: { run: buildScenario, cancelled: stopBuild, concurrency: 2 } },
      personal: [
        heldMemberships,
        { what: "Invitations addressed to them", gather: gatherInvitations, erase: eraseInvitations },
        heldRequests,
        { what: "Subscriptions", entity: ActivitySubscription, by: "userId", erasure: "remove" },
        { what: "Notifications", entity: Notification, by: "userId", erasure: "remove" },
        { what: "Up to when they had looked at activity", entity: ActivityRead, by: "userId", erasure: "remove" },
        { what: "Primary problem sets", gather: gatherPrimaries, erase: erasePrimaries },
        { what: "Where their access changed last", gather: gatherChanges, erase: eraseChanges },
      ],
    }),
  ],
  actions: {
    ...setActions,
    ...memberActions,
    ...invitationActions,
    ...joinRequestActions,
    ...positionActions,
    ...compartmentActions,
    ...closingActions,
    ...panelActions,
    ...activityActions,
    ...subscriptionActions,
    ...escalationActions,
    ...scenarioActions,
    ...agentActions,
    ...meshActions,
  },

  events: {
    [AccessChanged.name]: {
      context: true,
      handler(this: SetsHost, { params }: Ctx<{ userId?: string; problemSetId?: string }>) {
        this.memberships.changed(params);
      },
    },
  },

  created(this: SetsHost) {
    this.counted = new AccessChanges(opener(this.world.documents, "problem_set_access"));
    this.memberships = new MembershipsByPerson(this, this.broker.transit ? this.counted : undefined);
  },

  async started(this: SetsHost) {
    this.primaries = await this.world.documents.collection("primary_problem_sets");
  },
} satisfies MeshService;
