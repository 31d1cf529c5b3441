import { getOperation, outsideOf } from "./operations.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { invalid, unprocessable, type Detail } from "../../../../core/problem.ts";
import { changedHeaders, type GivenHeaders } from "./headers.ts";
import { remoteOf } from "./mcp.ts";
import { addressComplaints, closed, formOf, httpComplaints, schemaComplaints } from "./parameters.ts";
import { impliedOutside, isLower, possibleEffects, type Tool } from "./tools.ts";

/** A tool as requested. */
export type ToolDraft = Pick<Tool, "id" | "kind" | "summary" | "class" | "effect" | "timeoutMs" | "resultBytes"> &
  Partial<Pick<Tool, "description" | "action" | "http" | "mcp" | "parameters" | "headers" | "pinned">>;

const OWN: Readonly<Record<Tool["kind"], "action" | "http" | "mcp">> = { action: "action", http: "http", mcp: "mcp" };

/** Each kind has its own fields, and none of the others'. */
function partComplaints(draft: ToolDraft, headers: GivenHeaders | undefined): Detail[] {
  const own = OWN[draft.kind];
  const missing =
    draft[own] === undefined ? [{ path: own, message: `A tool of the kind ${draft.kind} needs this.` }] : [];
  const foreign = Object.values(OWN)
    .filter((part) => part !== own && draft[part] !== undefined)
    .map((part) => ({ path: part, message: `A tool of the kind ${draft.kind} has no such part.` }));
  const schema =
    draft.kind !== "http" && draft.parameters !== undefined
      ? [{ path: "parameters", message: "The arguments come from where the tool is; they are not edited." }]
      : [];
  const secrets =
    draft.kind === "action" && headers && Object.keys(headers).length
      ? [{ path: "headers", message: "An operation of the platform takes no headers." }]
      : [];
  return [...missing, ...foreign, ...schema, ...secrets];
}

/** Throws 422 where class or effect are lower than the tool's nature requires. */
function demandHonest(draft: ToolDraft, { least, method }: { least: Tool["class"]; method: string }): void {
  if (isLower(draft.class, least))
    throw unprocessable("CLASS_TOO_LOW", `class: by its contract it is at least ${least}.`, { least });
  const possible = possibleEffects(draft.kind, method);
  if (!possible.includes(draft.effect))
    throw unprocessable("EFFECT", `effect: of such a tool it is ${possible.join(" or ")}.`, { possible });
}

/** The server that receives the tool's secrets. */
const addressOf = ({ http, mcp }: Partial<Pick<Tool, "http" | "mcp">>): string =>
  JSON.stringify([http && new URL(http.url).origin, http?.hosts, mcp && new URL(mcp.url).origin]);

/**
 * A tool as it will be stored, after querying its server if it has one. Throws 400 and 422 for its faults. Existing
 * headers are kept only for an unchanged address: otherwise somebody could have them sent anywhere.
 */
export async function draftedTool(
  host: Host,
  draft: ToolDraft,
  headers: GivenHeaders | undefined,
  before?: Tool,
): Promise<ToolDraft> {
  const parts = partComplaints(draft, headers);
  if (parts.length) throw invalid(parts);
  if (draft.kind === "action") {
    demandHonest(draft, getOperation(host, draft.action!));
    return draft;
  }
  const parameters = closed(draft.kind === "http" ? (draft.parameters ?? {}) : {});
  const wrong =
    draft.kind === "http"
      ? [...schemaComplaints(parameters, "parameters"), ...httpComplaints(draft.http!, parameters)]
      : addressComplaints(draft.mcp!.url, "mcp.url");
  if (wrong.length) throw invalid(wrong);
  const method = outsideOf(draft);
  const least = draft.kind === "mcp" ? "communicate-outside" : impliedOutside(method, parameters);
  demandHonest(draft, { least, method });
  const isSame = before !== undefined && addressOf(before) === addressOf(draft);
  const kept = changedHeaders(host, draft.id, isSame ? before.headers : [], headers ?? {});
  if (draft.kind === "http") return { ...draft, parameters, headers: kept };
  const { timeoutMs, resultBytes, id } = draft;
  const remote = await remoteOf(host, { id, mcp: draft.mcp!, headers: kept, timeoutMs, resultBytes });
  return { ...draft, headers: kept, parameters: closed(formOf(remote.parameters)), pinned: remote.pinned };
}
