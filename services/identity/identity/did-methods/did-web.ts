import { OutboundError, type OutboundFailure } from "../../../../adapters/outbound/errors.ts";
import type { Outbound } from "../../../../adapters/outbound/outbound.ts";
import { DidDocument } from "../../../../core/did/did-documents.ts";
import { Unresolved } from "./resolution.ts";

/** A domain name of at least one label, or `localhost`; never an address (did:web §3.1). */
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Room for hundreds of keys; to go through four times as much takes a turn of 70 ms. */
const MOST_BYTES = 64 * 1024;

/** Where the document of a did:web is; null where its id is not of the method's form. */
export function didWebUrl(id: string): string | null {
  const [authority = "", ...path] = id.split(":");
  const [host, port, ...rest] = authority.split(/%3a/i);
  if (
    rest.length ||
    !HOST.test(host!) ||
    (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535))
  )
    return null;
  // A dot segment would leave the folder that the DID names.
  if (path.some((segment) => segment === "" || /^(?:\.|%2e){1,2}$/i.test(segment) || /%(?:2f|5c|00)/i.test(segment)))
    return null;
  return `https://${host!.toLowerCase()}${port ? `:${port}` : ""}${path.length ? `/${path.join("/")}` : "/.well-known"}/did.json`;
}

/** Fetches the document over HTTPS. Throws Unresolved. */
export async function fetchDidWeb(
  outbound: Outbound,
  did: string,
  url: string,
  signal: AbortSignal,
): Promise<DidDocument> {
  const { status, body } = await outbound
    .get(url, {
      accept: "application/did+json, application/did+ld+json;q=0.9, application/json;q=0.8",
      maxBytes: MOST_BYTES,
      timeoutMs: 10_000,
      maxRedirects: 0,
      signal,
    })
    .catch(refused);
  if (status === 404 || status === 410) throw new Unresolved("notFound", "Its server has no document for this DID.");
  if (status !== 200) throw new Unresolved("internalError", `Its server answers ${status}.`);
  return read(did, body);
}

const UNANSWERED = new Set<OutboundFailure>(["connect", "timeout", "aborted"]);

function refused(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error;
  if (error.kind === "dns" || error.kind === "blocked") throw new Unresolved("notFound", error.message);
  throw new Unresolved("internalError", error.message, UNANSWERED.has(error.kind));
}

function read(did: string, body: Buffer): DidDocument {
  let given: unknown;
  try {
    given = JSON.parse(body.toString("utf8"));
  } catch {
    throw new Unresolved("invalidDidDocument", "Its server's document is not JSON.");
  }
  const document = DidDocument.safeParse(given);
  if (!document.success || document.data.id !== did)
    throw new Unresolved("invalidDidDocument", "Its server's document is not the document of this DID.");
  return document.data;
}
