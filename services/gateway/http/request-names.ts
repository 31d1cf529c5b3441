import type { IncomingMessage } from "node:http";
import { newRequestId } from "../../../core/ids.ts";
import type { RequestNames } from "./request.ts";

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** Outside a request is called what its client calls it, where that is a name. */
export function requestNames({ headers: { "x-request-id": given } }: IncomingMessage): RequestNames {
  return {
    outside: typeof given === "string" && REQUEST_ID.test(given) ? given : newRequestId(),
    inside: newRequestId(),
  };
}
