import { serveTasks } from "../../../../core/work/thread.ts";
import { validationPdf, type PdfReport } from "./pdf.ts";

serveTasks<PdfReport, Uint8Array>(validationPdf);
