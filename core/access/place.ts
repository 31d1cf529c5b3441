import { z } from "zod";
import { TextId } from "../records/entity.ts";

/** The compartments a record lies in: who is not read into all of them does not learn that it exists. */
export const Compartments = z
  .array(TextId)
  .max(20)
  .default([])
  .overwrite((ids) => [...new Set(ids)].sort())
  .describe("Information barriers: only members read into all of them see the record. Set once.");

/**
 * What a record in a problem set stands behind: membership of the set, and being read into each of its compartments.
 */
export const barrier = { set: "problemSetId", compartments: "compartments" } as const;
