import type { z } from "zod";
import type { Ctx } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { DocumentRow, type Document } from "./documents.ts";
import type { DocumentText } from "./texts.ts";

export { DocumentRow };
export type DocumentView = z.output<typeof Document.view>;
export type Text = z.output<typeof DocumentText>;

/** A document as the caller sees it; 404 where they do not. */
export const documentOf = (ctx: Ctx<any>, documentId: string): Promise<DocumentView> =>
  ctx.call("documents.get", { documentId });

/** The same for the mesh's own work. */
export const documentAsMesh = (host: Host, documentId: string): Promise<DocumentView> =>
  host.ask("documents.get", { documentId });

/** Of these documents those that the caller sees, as rows of a list; at most a page of them. */
export const documentsAmong = (ctx: Ctx<any>, ids: readonly string[]): Promise<z.output<typeof DocumentRow>[]> =>
  ids.length ? ctx.call("documents.many", { ids }) : Promise.resolve([]);

/** A part of a document's newest text as the caller may read it; 422 where there is none. */
export const textOfDocument = (ctx: Ctx<any>, documentId: string, to: number): Promise<Text> =>
  ctx.call("documents.texts.get", { documentId, from: 0, to });

/** The same for the mesh's own work. */
export const textAsMesh = (host: Host, documentId: string, to: number): Promise<Text> =>
  host.ask("documents.texts.get", { documentId, from: 0, to });
