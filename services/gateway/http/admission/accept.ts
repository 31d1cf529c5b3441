import type { IncomingMessage } from "node:http";
import { Problem } from "../../../../core/problem.ts";

/** A media range that JSON is of, also in the name of something written in it; one of weight zero is none. */
const TAKES_JSON = /^(?:\*\/\*|application\/(?:\*|json|[\w.-]+\+json))$/;
const REFUSES = /^q=0(?:\.0*)?$/;

/** Whether whoever sends this `Accept` (RFC 9110, 12.5.1) can read JSON; without one they take whatever comes. */
export function takesJson(accept: string | undefined): boolean {
  if (!accept?.trim() || accept.includes("*/*")) return true;
  return accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()))
    .some(([type, ...parameters]) => TAKES_JSON.test(type!) && !parameters.some((one) => REFUSES.test(one)));
}

/** Throws 406 before anything is done for whoever could not read the answer. */
export function refuseUnreadable({ headers: { accept } }: IncomingMessage): void {
  if (takesJson(accept)) return;
  const message = "This is answered in application/json: name it in Accept, or leave that out.";
  throw new Problem(406, "NOT_ACCEPTABLE", message);
}
