import type { z } from "zod";
import type { Host } from "../../../core/contract/endpoint.ts";
import { DocumentRow, type Document } from "./documents.ts";
import type { DocumentText } from "./texts.ts";

export { DocumentRow };
export type DocumentView = z.output<typeof Document.view>;
export type Text = z.output<typeof DocumentText>;

/** A document, whoever asks. Throws 404. */
export const documentAsMesh = (host: Host, documentId: string): Promise<DocumentView> =>
  host.ask("documents.get", { documentId });

/** Documents by their ids, in their order, whoever asks: those of records behind the same barrier. At most a page. */
export const documentRows = (host: Host, ids: readonly string[]): Promise<z.output<typeof DocumentRow>[]> =>
  ids.length ? host.ask("documents.many", { ids }) : Promise.resolve([]);

/** A part of a document's newest text, whoever asks; 422 where there is none. */
export const textOfDocument = (host: Host, documentId: string, to: number): Promise<Text> =>
  host.ask("documents.texts.get", { documentId, from: 0, to });
