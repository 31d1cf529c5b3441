import { Thread, workerBeside } from "../../../../core/work/thread.ts";
import type { PdfReport } from "./pdf.ts";

/** Reading and packing fonts takes 80 ms or more. */
const drawing = new Thread<PdfReport, Uint8Array>(
  workerBeside(import.meta.url, "./pdf-worker.ts", "./validation-pdf-worker.mjs"),
);

/**
 * The report as PDF (A4), drawn in a thread: for each agent its circuit, its last result, and its pass rate over time.
 */
export async function toPdf(report: PdfReport): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await drawing.ask(report);
  return Buffer.from(buffer, byteOffset, byteLength);
}
