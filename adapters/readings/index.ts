import type { Documents } from "../../core/records/documents.ts";
import type { Readings } from "../../core/records/reading/readings.ts";
import { EmbeddedDocuments } from "../documents/embedded.ts";
import { BucketReadings } from "./buckets.ts";
import { TableReadings } from "./table.ts";

declare module "../../core/world.ts" {
  interface World {
    readings: Readings;
  }
}

/** Opens the store of readings beside the documents, in their file or their database; it is created on first use. */
export const openReadings = (documents: Documents): Readings =>
  documents instanceof EmbeddedDocuments ? new TableReadings(documents) : new BucketReadings(documents);
