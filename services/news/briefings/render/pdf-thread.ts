import { Thread, workerBeside } from "../../../../core/work/thread.ts";
import type { Readable } from "./html.ts";

/** Reading and packing fonts takes 80 ms and more. */
const drawing = new Thread<Readable, Uint8Array>(
  workerBeside(import.meta.url, "./pdf-worker.ts", "./briefing-pdf-worker.mjs"),
);

/**
 * A briefing as PDF (A4), drawn in a thread: embedded fonts, links, bookmarks, page numbers; the same briefing gives
 * the same bytes.
 */
export async function toPdf({ title, content, generatedAt }: Readable): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await drawing.ask({ title, content, generatedAt });
  return Buffer.from(buffer, byteOffset, byteLength);
}
