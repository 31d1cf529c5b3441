import { serveTasks } from "../../../../core/work/thread.ts";
import type { Readable } from "./html.ts";
import { briefingPdf } from "./pdf.ts";

serveTasks<Readable, Uint8Array>(briefingPdf);
