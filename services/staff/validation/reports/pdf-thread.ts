import { Thread } from "../../../../core/work/thread.ts";
import type { Report } from "./pdf.ts";

/** Beside this module in the sources; in the bundle it has a name of its own. */
const WORKER = import.meta.url.endsWith(".ts") ? "./pdf-worker.ts" : "./validation-pdf-worker.mjs";
/** Reading and packing fonts takes 80 ms and more. */
const drawing = new Thread<Report, Uint8Array>(new URL(WORKER, import.meta.url));

/** The report as PDF (A4), drawn in a thread: of each agent its circuit, its last result, its pass rate over time. */
export async function toPdf(report: Report): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await drawing.ask(report);
  return Buffer.from(buffer, byteOffset, byteLength);
}
