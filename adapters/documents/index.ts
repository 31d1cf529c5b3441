import type { Documents } from "../../core/records/documents.ts";
import { EmbeddedDocuments } from "./embedded.ts";
import { MongoDocuments } from "./mongo.ts";

export interface DocumentSettings {
  /** `mongodb://` or `mongodb+srv://`; absent: the embedded store. */
  mongoUrl?: string;
  /** Directory of the embedded store's file; `:memory:` keeps nothing. */
  dataDir: string | ":memory:";
}

/** Opens the document store that the settings name. It connects, or opens its file, on first use. */
export const openDocuments = ({ mongoUrl, dataDir }: DocumentSettings): Documents =>
  mongoUrl ? new MongoDocuments(mongoUrl) : new EmbeddedDocuments(dataDir);
