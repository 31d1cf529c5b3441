import { z } from "zod";
import { bare, data } from "../../../core/contract/answer.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { endpoint, type MeshService } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { AreaField, areaOf } from "../../../core/geo/area-field.ts";
import { asPlacesQuery, MOST_PLACES, PlacedRecord, placesAsked } from "../../../core/geo/placed.ts";
import { conflict, invalid } from "../../../core/problem.ts";
import { eventsIn } from "../../../core/events/event.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { crud } from "../../../mixins/crud.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { primaryDid } from "../../identity/identity/client.ts";
import { course, Mission, placedMission, Span, spanOf, missionPlace, refusals } from "./missions.ts";
import * as events from "./events.ts";
import { MissionChanged, MissionCreated, MissionMoved } from "./events.ts";
import { Invite, Participant } from "./participants.ts";
import { editing, reading } from "./permits.ts";
import { join, participantActions, told } from "./participants.actions.ts";

const refuse = (fields: Parameters<typeof refusals>[0]): void => {
  const found = refusals(fields);
  if (found.length) throw invalid(found);
};

const missions = crud(Mission, {
  list: "signed-in",
  get: "signed-in",
  within: { set: "problemSetId", read: reading.may, write: editing.may },
  tools: { list: "list_missions", get: "show_mission" },
  says: {
    list: "What is to be done, by when, and how it stands. How the planning of one stands: `GET /api/mdmp/workflows/{missionId}`.",
    get: "Its objective, area and times, its state, and what came of it.",
  },
  lifecycle: course,
  tells: {
    moved: (mission, ctx) =>
      MissionMoved.fact(mission.id, {
        ...told(mission, ctx),
        status: mission.status,
        outcome: mission.outcome,
        reason: mission.reason,
      }),
  },
});

export default {
  name: "missions",
  metadata: { description: "Missions: what is to be done, by whom, by when." },
  settings: { rest: "/missions" },
  mixins: [
    domain({
      entities: [Mission, Participant, Invite],
      tells: () => eventsIn(events),
      personal: [
        commonWork("Parts in missions", Participant, "userId"),
        commonWork("Missions that you opened", Mission),
        commonWork("Missions that you completed", Mission, "completedBy"),
        commonWork("Invites to missions that you made", Invite),
      ],
    }),
  ],

  actions: {
    ...missions,

    create: endpoint({
      rest: "POST /",
      summary: "Open a mission",
      tool: "open_mission",
      permit: "signed-in",
      within: editing,
      body: Mission.create,
      returns: data(Mission.view),
      status: 201,
      description: "A mission lies in a problem set, and in the compartments it names. Whoever creates it leads it.",
      errors: { 422: "Rings of the area cross, or have none (`IMPOSSIBLE_AREA`)." },
      example: {
        problemSetId: "the problem set's id",
        name: "Reopen the crossing",
        objective: "Traffic over the river by Friday.",
      },
      async handler(ctx) {
        refuse(ctx.params);
        const mission = await this.store(Mission).create(ctx, await withArea(ctx.params), {
          facts: (made: Mission) => [MissionCreated.fact(made.id, told(made, ctx))],
        });
        await join(this, ctx, mission, "lead", await primaryDid(this, ctx.meta.actor!.userId));
        return mission;
      },
    }),

    update: endpoint({
      rest: "PATCH /:id",
      summary: "Edit a mission",
      permit: "signed-in",
      within: editing,
      on: Mission,
      body: Mission.change,
      returns: data(Mission.view),
      errors: { 422: "Rings of the area cross, or have none (`IMPOSSIBLE_AREA`)." },
      async handler(ctx, mission) {
        if (mission.status === "archived") throw conflict("An archived mission is not edited.");
        refuse({ ...mission, ...ctx.params });
        return this.store(Mission).revise(ctx, mission, await withArea(ctx.params), {
          facts: (made: Mission) => [MissionChanged.fact(mission.id, told(made, ctx))],
        });
      },
    }),

    /** Where a mission lies, for services whose records belong to it; 404 to whoever does not see it. */
    place: endpoint({
      summary: "Where a mission lies",
      permit: "signed-in",
      body: { missionId: TextId },
      returns: data(
        z.object({
          missionId: z.string(),
          name: z.string(),
          problemSetId: z.string(),
          compartments: z.array(z.string()),
          status: z.enum(course.states),
          area: AreaField.optional(),
        }),
      ),
      async handler(ctx) {
        const { name, status, area, ...mission } = await this.store(Mission).get(ctx, ctx.params.missionId);
        return { ...missionPlace(mission), name, status, ...(area && { area }) };
      },
    }),

    /** What the picture shows of missions: those with an area that are not filed away. */
    placed: endpoint({
      summary: "The missions of a problem set that have an area, or those of them that changed since",
      permit: "internal",
      body: placesAsked,
      returns: bare(z.array(PlacedRecord)),
      async handler(ctx) {
        return (await this.store(Mission).find(ctx, asPlacesQuery(ctx.params))).flatMap(placedMission);
      },
    }),

    /** When missions are that are not over: those planned, too. */
    spans: endpoint({
      summary: "From when until when missions are, of those that are not over",
      permit: "internal",
      body: { ids: z.array(TextId).max(MOST_PLACES) },
      returns: bare(z.array(Span)),
      async handler(ctx) {
        const found = await this.store(Mission).many(ctx, ctx.params.ids);
        return found.flatMap(spanOf);
      },
    }),

    leaveSet: endpoint({
      summary: "End the parts of whoever is no member of a problem set any more",
      permit: "internal",
      body: { problemSetId: TextId, userId: z.string() },
      returns: bare(z.null()),
      async handler(ctx) {
        await this.store(Participant).removeAll(asSystem("missions"), ctx.params);
        return null;
      },
    }),
    ...participantActions,
  },
} satisfies MeshService;

/** What is given, its area read and mended. Throws 400, 422. */
const withArea = async <G extends { area?: unknown }>(given: G): Promise<G> =>
  given.area ? { ...given, area: await areaOf("area", given.area) } : given;
