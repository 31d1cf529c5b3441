import type { Input } from "../../api/client.ts";
import type { FormFields } from "../../parts/form.tsx";
import { schemaOf } from "./arguments.tsx";
import { headersOf } from "./secrets.tsx";
import { hostOf } from "./tool-fields.tsx";
import type { Tool, ToolKind } from "./tool-words.ts";

export type NewTool = Input<"POST /admin/tools">["body"];
type Parts = Omit<NewTool, "name" | "kind">;

/** A tool as its form says it; `before` is the one that is changed. */
export function givenIn(kind: ToolKind, fields: FormFields, before?: Tool): Parts {
  return {
    summary: fields["summary"] ?? "",
    class: fields["class"] as Tool["class"],
    effect: fields["effect"] as Tool["effect"],
    ...(kind === "action" && { action: fields["action"] ?? "" }),
    ...(kind === "http" && {
      http: {
        method: fields["http.method"] as "GET" | "POST",
        url: fields["http.url"]?.trim() ?? "",
        hosts: hostsOf(fields),
      },
      parameters: schemaOf(fields, before?.parameters),
    }),
    ...(kind === "mcp" && { mcp: { url: fields["mcp.url"] ?? "", tool: fields["mcp.tool"]?.trim() ?? "" } }),
    ...(kind !== "action" && headersOf(fields)),
  };
}

const hostsOf = (fields: FormFields): string[] => {
  const own = hostOf(fields["http.url"]?.trim() ?? "");
  const others = (fields["http.hosts"] ?? "").split(/[\s,]+/).filter(Boolean);
  return [...new Set([...(own ? [own] : []), ...others])];
};
