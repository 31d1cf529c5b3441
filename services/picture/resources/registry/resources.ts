import { z } from "zod";
import { searchWords } from "../../../../core/records/reading/by-words.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { sha256 } from "../../../../core/ids.ts";
import type { Detail } from "../../../../core/problem.ts";
import { outsideIndexes, placed, reach, type Place } from "../../place.ts";
import { cellAt, Location } from "../../location.ts";
import { Series, seriesRefusals, Threshold } from "../telemetry/series.ts";
import { Capability, withParents } from "./capabilities.ts";

/** How ready a resource is. */
export const READINESS = ["ready", "limited", "maintenance", "unavailable", "lost"] as const;
export const RESOURCE_KINDS = [
  "vehicle",
  "aircraft",
  "vessel",
  "equipment",
  "facility",
  "team",
  "animal",
  "stock",
  "other",
] as const;
const MOST_SERIES = 100;
const MOST_THRESHOLDS = 20;
const MOST_MISSIONS = 20;

export const Did = z
  .string()
  .max(500)
  .regex(/^did:[a-z0-9]+:\S+$/, "Must be a DID, such as did:key:z6Mk…");

export const Resource = entity("resources", {
  title: "resource",
  fields: {
    ...placed,
    name: z.string().trim().min(1).max(200),
    kind: z.enum(RESOURCE_KINDS).default("equipment"),
    description: z.string().max(4_000).optional(),
    serial: z.string().max(120).optional().describe("Serial or registration number."),
    externalId: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        "What another system calls it; once in a set and its compartments. An import finds by it what to update.",
      ),
    capabilities: z
      .array(Capability)
      .max(30)
      .default([])
      .overwrite((codes) => [...new Set(codes)].sort()),
    readiness: z.enum(READINESS).default("ready"),
    readinessReason: z.string().max(1_000).optional(),
    readinessAt: Instant.describe("When its readiness last changed."),
    location: Location.optional().describe("Its position, as entered or from its readings."),
    locatedAt: Instant.optional().describe("When its position was determined: an earlier reading does not move it."),
    missionIds: z
      .array(TextId)
      .max(MOST_MISSIONS)
      .default([])
      .overwrite((ids) => [...new Set(ids)].sort())
      .describe("Missions of its problem set that it is assigned to."),
    tracksUnitId: TextId.optional().describe(
      "A unit of command that is where this resource is, as its command vehicle or tracker: of the same problem " +
        "set and compartments, and no other's. Needs `command:edit` beside.",
    ),
    series: z.array(Series).max(MOST_SERIES).default([]).describe("What it measures: unit and range, by key."),
    thresholds: z.array(Threshold).max(MOST_THRESHOLDS).default([]).describe("When its readings raise an alarm."),
    did: Did.optional().describe("The DID that it is registered under, whose control was proved."),
    registeredAt: Instant.optional(),
    /** Its capabilities and all above them. */
    abilities: z.array(z.string()),
    /** The words that it is searched by. */
    words: z.array(z.string()),
    cell: z.string().optional(),
    external: z.string().optional(),
  },
  readonly: [
    "audience",
    "readinessAt",
    "readinessReason",
    "locatedAt",
    "did",
    "registeredAt",
    "abilities",
    "words",
    "cell",
    "external",
  ],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "abilities", "words", "cell", "external"],
  filter: ["problemSetId", "readiness", "kind"],
  sort: ["name"],
  barrier: reach,
  traced: true,
  lists: [{ by: ["problemSetId"] }, { by: ["audience"], having: "audience" }],
  indexes: [
    ...outsideIndexes,
    { fields: ["did"], unique: true, sparse: true },
    { fields: ["external"], unique: true, sparse: true },
    { fields: ["tracksUnitId"], unique: true, sparse: true },
    { fields: ["problemSetId", "cell"] },
    { fields: ["problemSetId", "abilities"] },
    { fields: ["problemSetId", "missionIds"] },
    { fields: ["problemSetId", "words"] },
    { fields: ["audience", "cell"], sparse: true },
  ],
});
export type Resource = Item<typeof Resource>;

const MOST_WORDS = 60;

/** Compartments are part of it: nobody is told that a name is taken where they do not see. */
export const externalKey = (
  { problemSetId, compartments, audience }: Place,
  noun: string,
  externalId: string,
): string =>
  sha256(JSON.stringify([noun, problemSetId ?? null, [...compartments].sort(), audience ?? null, externalId]));

type Described = Pick<Resource, "name" | "kind" | "capabilities"> &
  Partial<Pick<Resource, "description" | "serial" | "externalId" | "did" | "location">>;

/** What follows from a resource's own fields and is kept beside them. */
export const derived = (given: Described, place: Place) => ({
  abilities: withParents(given.capabilities),
  words: searchWords(given.name, given.serial, given.externalId, given.kind, given.description).slice(0, MOST_WORDS),
  cell: given.location ? cellAt(given.location) : null,
  external: given.externalId ? externalKey(place, "resource", given.externalId) : null,
});

/** What is wrong with fields that must fit one another. */
export const refusals = ({ series, thresholds }: Pick<Resource, "series" | "thresholds">): Detail[] =>
  seriesRefusals(series, thresholds);
