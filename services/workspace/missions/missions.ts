import { z } from "zod";
import type { PlacedRecord } from "../../../core/geo/placed.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { AreaField } from "../../../core/geo/area-field.ts";
import { PersonId } from "../../../core/access/person-reference.ts";
import { lifecycle } from "../../../core/records/keeping/lifecycle.ts";
import type { Detail } from "../../../core/problem.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";

export const course = lifecycle(["draft", "active", "completed", "archived"], {
  activate: { from: ["draft"], to: "active", permit: "signed-in", summary: "Activate a mission" },
  complete: {
    from: ["active"],
    to: "completed",
    permit: "signed-in",
    summary: "Complete a mission and record its outcome",
    body: { outcome: z.string().min(1).max(4_000).optional() },
    by: "completedBy",
    clears: ["reason"],
  },
  archive: { from: ["draft", "completed"], to: "archived", permit: "signed-in", summary: "Archive a mission" },
  reopen: {
    from: ["completed"],
    to: "active",
    permit: "signed-in",
    summary: "Put a mission into force again that was completed too early",
    description: "The outcome that was recorded is taken back with it; activity keeps it.",
    body: { reason: z.string().trim().min(1).max(4_000).optional() },
    clears: ["outcome", "completedBy"],
    beyond: true,
  },
  restore: {
    from: ["archived"],
    to: "draft",
    permit: "signed-in",
    summary: "Take a mission out of the archive, as a draft",
    beyond: true,
  },
});

export const Mission = entity("missions", {
  title: "mission",
  fields: {
    problemSetId: TextId.describe("The problem set that the mission lies in."),
    compartments: Compartments,
    name: z.string().trim().min(1).max(200),
    description: z.string().max(20_000).optional(),
    objective: z.string().max(4_000).optional().describe("What must be true at the end."),
    startsAt: Instant.optional(),
    endsAt: Instant.optional(),
    area: AreaField.optional().describe("Where it takes place: a GeoJSON Polygon or MultiPolygon."),
    outcome: z.string().max(4_000).optional().describe("Its outcome, given on completion."),
    completedBy: PersonId.optional(),
    reason: z.string().max(4_000).optional().describe("Why it was put into force again."),
    status: course.field,
  },
  readonly: ["status", "outcome", "completedBy", "reason"],
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "status"],
  sort: ["name", "startsAt"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["createdBy"] }, { fields: ["completedBy"], sparse: true }],
});
export type Mission = Item<typeof Mission>;

export const placedMission = ({ id, rev, updatedAt, compartments, name, status, area }: Mission): PlacedRecord[] =>
  area && status !== "archived" ? [{ id, rev, updatedAt, compartments, name, status, geometry: area }] : [];

/** From when until when a mission is: open where it does not say. */
export const Span = z.object({
  id: z.string(),
  name: z.string(),
  /** Not told by a node of an older version. */
  compartments: z.array(z.string()).optional(),
  from: z.string().optional(),
  until: z.string().optional(),
});
export const spanOf = ({ id, name, compartments, status, startsAt, endsAt }: Mission): z.output<typeof Span>[] =>
  status === "draft" || status === "active"
    ? [
        {
          ...{ id, name, compartments },
          ...(startsAt !== undefined && { from: startsAt }),
          ...(endsAt !== undefined && { until: endsAt }),
        },
      ]
    : [];

/** Where a record of a mission lies: always where the mission does. */
export const missionFields = { problemSetId: TextId, compartments: Compartments, missionId: TextId };
export const PLACE = ["problemSetId", "compartments", "missionId"] as const;
export const missionPlace = ({
  id,
  problemSetId,
  compartments,
}: Pick<Mission, "id" | "problemSetId" | "compartments">) => ({
  missionId: id,
  problemSetId,
  compartments,
});

/** A mission that ends before it begins is refused. */
export function refusals({
  startsAt,
  endsAt,
}: {
  startsAt?: string | null | undefined;
  endsAt?: string | null | undefined;
}): Detail[] {
  return startsAt && endsAt && endsAt <= startsAt
    ? [{ path: "endsAt", message: "A mission ends after it begins." }]
    : [];
}
