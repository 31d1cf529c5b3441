import { z } from "zod";
import { storedAs, TextId } from "../records/entity.ts";

const MOST_NAMED = 20;
const once = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

/** The compartments of something made from records: those of all of them, however many. */
export const JointCompartments = z
  .array(TextId)
  .default([])
  .overwrite(once)
  .describe("Information barriers: only members read into all of them see the record. Set once.");

/**
 * The compartments a record lies in: who is not read into all of them does not learn that it exists. A person names at
 * most twenty; what lies beside other records lies in theirs as well.
 */
export const Compartments = storedAs(
  z.array(TextId).max(MOST_NAMED).default([]).overwrite(once).describe(JointCompartments.description!),
  JointCompartments,
);

/**
 * What a record in a problem set stands behind: membership of the set, and being read into each of its compartments.
 */
export const barrier = { set: "problemSetId", compartments: "compartments" } as const;
