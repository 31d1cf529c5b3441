import { TOOL_NAMES, TOOLS, type ToolName } from "../../../../config/tools.ts";
import { derivedId } from "../../../../core/ids.ts";

/** The agent that acts for users of the assistant; it belongs to every problem set and appears in no list. */
export const ASSISTANT = derivedId("the assistant");

const READS: readonly string[] = ["observe", "analyse"];
/** What it may propose: all tools that change something. It reads by other means. */
export const PROPOSED: readonly ToolName[] = TOOL_NAMES.filter((name) => !READS.includes(TOOLS[name].class));

/** It only proposes: a person has decided everything it does. */
export const AUTONOMY = 1;
