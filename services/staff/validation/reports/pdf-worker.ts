import { serveTasks } from "../../../../core/work/thread.ts";
import { drawn, type PdfReport } from "./pdf.ts";

serveTasks<PdfReport, Uint8Array>(drawn);
