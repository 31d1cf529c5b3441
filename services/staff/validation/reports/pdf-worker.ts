import { serveTasks } from "../../../../core/work/thread.ts";
import { drawn, type Report } from "./pdf.ts";

serveTasks<Report, Uint8Array>(drawn);
