import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { ProblemSetArchived } from "../../workspace/problem-sets/events.ts";
import { UnitChanged, UnitCreated, UnitMoved, UnitRemoved } from "../../workspace/command/events.ts";
import {
  ResourceAdded,
  ResourceChanged,
  ResourceGone,
  ResourceMoved,
  ResourceReadinessChanged,
  ResourceRemoved,
} from "../resources/events.ts";
import { SensorEnrolled, SensorGone, SensorRemoved, SensorStatusChanged } from "../sensors/events.ts";
import { MissionChanged, MissionCreated, MissionMoved } from "../../workspace/missions/events.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { Conflict } from "./conflicts/conflicts.ts";
import { conflictActions } from "./conflicts/conflicts.actions.ts";
import { exportActions } from "./exports/exports.actions.ts";
import * as events from "./events.ts";
import { CopConflictChanged, CopLayerChanged, LayerDrawn, LayerMoved, SourceChanged } from "./events.ts";
import { LayerActivity } from "./generation/activity.ts";
import { LayerFeature } from "./generation/features.ts";
import { GENERATE, generate } from "./generation/generating.ts";
import { generationActions } from "./generation/generation.actions.ts";
import { Missing } from "./generation/making.ts";
import { STILL, Track } from "./generation/tracks.ts";
import type { LayerSource } from "./generation/sources.ts";
import { endWatch, LayerWatch } from "./generation/watches.ts";
import { Watching, type Hint } from "./generation/watching.ts";
import { Report } from "./reports/reports.ts";
import { reportActions } from "./reports/reports.actions.ts";
import { pictureActions } from "./layers/pictures.actions.ts";
import { layerActions } from "./layers/layers.actions.ts";
import { remarkActions } from "./layers/remarks.actions.ts";
import { transitionActions } from "./layers/transitions.actions.ts";
import { versionActions } from "./layers/versions.actions.ts";
import { Feedback, Layer, LayerSpec, LayerVersion } from "./layers/layers.ts";
import type { Place } from "../place.ts";
import { pictureOf } from "./pictures.ts";
import { Linkage } from "./linkages/linkages.ts";
import { linkageActions } from "./linkages/linkages.actions.ts";

const LOOK_EVERY_MS = 2_000;
const KEPT_DAYS = 14;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** By when it was last reported: a uid may be reported for years. */
async function removeOldReports(this: Host): Promise<void> {
  const staleAt = { $lt: iso(this.world.clock.now() - KEPT_DAYS * DAY_MS) };
  await this.store(Report).removeAll(asSystem("cop"), { staleAt }, { by: "staleAt" });
}

type Cop = Host & { watching?: Watching };

/** Something of a source came, changed or went. */
const hints = (...sources: LayerSource[]) =>
  function (this: Host, { id, problemSetId }: { id: string; problemSetId: string }): void {
    for (const source of sources) void SourceChanged.emit(this, { picture: problemSetId, source, recordIds: [id] });
  };
/** Something of a source is gone that lay outside of all problem sets. */
const gone = (...sources: LayerSource[]) =>
  function (this: Host, { id, audience }: { id: string; audience?: Place["audience"] }): void {
    if (audience === undefined) return;
    for (const source of sources)
      void SourceChanged.emit(this, { picture: pictureOf({ audience }), source, recordIds: [id] });
  };
const unitHint = hints("units");
const missionHint = hints("missions");
const resourceHint = hints("resources");
const sensorHint = hints("sensors", "coverage");

/** A fact that any node hears is passed on as a hint, since the node that watches may be another one. */
function hint(this: Host, { id, problemSetId }: { id: string; problemSetId: string }): void {
  void SourceChanged.emit(this, { picture: problemSetId, layerId: id });
}

export default {
  name: "cop",
  metadata: {
    description:
      "The common operational picture: layers, reports, conflicts between them, and the picture at any moment.",
  },
  settings: { rest: "/cop" },
  mixins: [
    domain({
      entities: [
        Layer,
        LayerVersion,
        LayerSpec,
        Feedback,
        LayerFeature,
        Missing,
        Track,
        LayerWatch,
        LayerActivity,
        Linkage,
        Conflict,
        Report,
      ],
      tells: () => eventsIn(events).filter(({ name }) => name !== SourceChanged.name),
      hears: [
        on(LayerDrawn, hint),
        on(LayerMoved, hint),
        on(UnitCreated, unitHint),
        on(UnitChanged, unitHint),
        on(UnitRemoved, unitHint),
        on(MissionCreated, missionHint),
        on(MissionChanged, missionHint),
        on(MissionMoved, missionHint),
        on(ResourceAdded, resourceHint),
        on(ResourceChanged, resourceHint),
        on(ResourceReadinessChanged, resourceHint),
        on(ResourceRemoved, resourceHint),
        on(ResourceGone, gone("resources")),
        on(SensorEnrolled, sensorHint),
        on(SensorStatusChanged, sensorHint),
        on(SensorRemoved, sensorHint),
        on(SensorGone, gone("sensors", "coverage")),
        on(ProblemSetArchived, endWatch),
      ],
      live: [CopLayerChanged, CopConflictChanged],
      jobs: { [GENERATE]: { run: generate } },
      schedules: {
        watch: {
          everyMs: LOOK_EVERY_MS,
          async run(this: Cop) {
            await this.watching?.look();
          },
        },
        reports: { everyMs: HOUR_MS, run: removeOldReports },
      },
      keeps: [
        { entity: LayerActivity, days: () => KEPT_DAYS },
        { entity: Track, days: () => KEPT_DAYS, where: { until: { $ne: STILL } } },
      ],
      personal: [
        {
          what: "Remarks you made on layers",
          entity: Feedback,
          by: "createdBy",
          erasure: {
            keep:
              "Remarks belong to the problem set's layers; who made one stays on record, by an id that leads to " +
              "nobody.",
          },
        },
        commonWork("Contradictions that you waived", Conflict, "waivedBy"),
        commonWork("Contradictions that you resolved", Conflict, "resolvedBy"),
        commonWork("Links of features that you decided", Linkage, "reviewedBy"),
      ],
    }),
  ],
  events: {
    [ResourceMoved.name]: {
      context: true,
      handler(
        this: Cop,
        { params: { ids, ...place } }: Ctx<Pick<Place, "problemSetId" | "audience"> & { ids: string[] }>,
      ) {
        this.watching?.hint({ picture: pictureOf(place), source: "resources", recordIds: ids });
      },
    },
    [UnitMoved.name]: {
      context: true,
      handler(this: Cop, { params: { problemSetId, ids } }: Ctx<{ problemSetId: string; ids: string[] }>) {
        this.watching?.hint({ picture: problemSetId, source: "units", recordIds: ids });
      },
    },
    [SourceChanged.name]: {
      context: true,
      handler(this: Cop, { params }: Ctx<Hint>) {
        this.watching?.hint(params);
      },
    },
  },
  started(this: Cop) {
    this.watching = new Watching(this);
    return Promise.resolve();
  },
  async stopped(this: Cop) {
    await this.watching?.close();
  },

  actions: {
    ...layerActions,
    ...versionActions,
    ...transitionActions,
    ...remarkActions,
    ...pictureActions,
    ...exportActions,
    ...generationActions,
    ...linkageActions,
    ...conflictActions,
    ...reportActions,
  },
} satisfies MeshService;
