import type { Host } from "../../../../core/contract/endpoint.ts";
import { isShape } from "../../../../core/contract/endpoint.ts";
import type { PublishedEndpoint } from "../../../../core/contract/catalogue.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { operationsFor } from "../gate/definitions.ts";
import { impliedClass, type Tool } from "./tools.ts";

/** Domains about persons, their credentials, or the platform itself: agents never call them. */
const NEVER = new Set(["auth", "accounts", "keys", "user-profile", "user-mode", "agents", "jobs", "audit", "gateway"]);
const NOT_AGENTS = new Set(["public", "self", "internal"]);

/** Why an operation cannot be a tool. */
function refusalOf({ service, contract, path }: PublishedEndpoint): string | undefined {
  const { permit, stepUp, upload, consumes, body, returns } = contract;
  if (NEVER.has(service) || path.startsWith("/api/admin/")) return "it is about persons or the platform itself";
  if (NOT_AGENTS.has(permit) || stepUp) return "it asks for a person";
  if (upload || consumes || (body !== undefined && !isShape(body))) return "it takes a file, or no named fields";
  if (!returns.body || returns.events || returns.pieces || returns.stored) return "its answer is no JSON";
  return undefined;
}

/** The operation of a tool, with its lowest class. Throws 422 where there is none, or it cannot be a tool. */
export function getOperation(host: Host, action: string): { method: string; least: Tool["class"] } {
  const operation = operationsFor(host).get(action);
  if (!operation)
    throw unprocessable("NO_SUCH_OPERATION", "action: the API description has no such operation; see its operationId.");
  const refusal = refusalOf(operation);
  if (refusal) throw unprocessable("NOT_A_TOOL", `action: this operation cannot be a tool, since ${refusal}.`);
  return { method: operation.method, least: impliedClass(operation) };
}

/** The method by which an external tool is called; for a server of tools the effect is unknown. */
export const outsideOf = ({ kind, http }: Pick<Tool, "kind"> & Partial<Pick<Tool, "http">>): string =>
  kind === "http" ? http!.method : "POST";
