import type { Data, ListRow } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import type { Draft } from "./draft.ts";

export type Capability = Data<"GET /admin/agent-builder/capabilities">[number];
export type OfferedTool = ListRow<"GET /agents/tools">;

/** What an agent can be good at, and the tools there are. */
export function useBuilder(): { capabilities: readonly Capability[]; tools: readonly OfferedTool[] } {
  const capabilities = useAnswer("GET /admin/agent-builder/capabilities", [], { stays: true });
  const tools = useAnswer("GET /agents/tools", [{ query: { limit: 100 } }]);
  return { capabilities: capabilities.data?.data ?? [], tools: tools.data?.data ?? [] };
}

/** Every tool that an agent of this draft would have. */
export const toolsOfDraft = (
  draft: Pick<Draft, "capabilities" | "tools">,
  capabilities: readonly Capability[],
): readonly string[] => [
  ...new Set([
    ...draft.tools,
    ...capabilities.filter(({ id }) => draft.capabilities.includes(id)).flatMap(({ tools }) => tools),
  ]),
];
