import { TOOL_NAMES, TOOLS, type ToolName } from "../../../../config/tools.ts";
import { derivedId } from "../../../../core/ids.ts";

/** The agent that acts for whoever asks the assistant to; of every problem set, and in nobody's list. */
export const ASSISTANT = derivedId("the assistant");

const READS: readonly string[] = ["observe", "analyse"];
/** What it may propose: everything that changes something. It reads by other means. */
export const PROPOSED: readonly ToolName[] = TOOL_NAMES.filter((name) => !READS.includes(TOOLS[name].class));

/** It only proposes: whatever it does, a person has decided. */
export const AUTONOMY = 1;
