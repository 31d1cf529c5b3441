import { Thread } from "../../../../core/work/thread.ts";
import type { Readable } from "./html.ts";

/** Beside this module in the sources; in the bundle it has a name of its own. */
const WORKER = import.meta.url.endsWith(".ts") ? "./pdf-worker.ts" : "./briefing-pdf-worker.mjs";
/** Reading and packing fonts takes 80 ms and more. */
const drawing = new Thread<Readable, Uint8Array>(new URL(WORKER, import.meta.url));

/**
 * A briefing as PDF (A4), drawn in a thread: embedded fonts, links, bookmarks, page numbers; the same briefing gives
 * the same bytes.
 */
export async function toPdf({ title, content, generatedAt }: Readable): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await drawing.ask({ title, content, generatedAt });
  return Buffer.from(buffer, byteOffset, byteLength);
}
