import type { IncomingMessage } from "node:http";
import { newRequestId } from "../../../core/ids.ts";
import type { RequestNames } from "./request.ts";

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** Outside the mesh, a request has the id that its client gave it, if that is a valid one. */
export function requestNames({ headers: { "x-request-id": given } }: IncomingMessage): RequestNames {
  return {
    outside: typeof given === "string" && REQUEST_ID.test(given) ? given : newRequestId(),
    inside: newRequestId(),
  };
}
