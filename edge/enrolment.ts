import { readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { syncFolder, writeSecretly } from "../adapters/folder.ts";
import { dataOf, HubRefusal } from "./sync/hub.ts";
import type { NodeKey } from "./key.ts";
import type { HubLink } from "./sync/link.ts";
import { FACT, type Enrolled } from "./node.ts";
import type { EdgeStore } from "./store.ts";
import type { Credential } from "./sync/sync.ts";

/** An API key of the platform. Anything else that a person gives is a token of their sign-in. */
const API_KEY = /^sm_[0-9a-f]{32}$/;
/** What the node's own API key is good for: nothing but what it carries. */
const SCOPES = ["write", "edge-sync", "resources", "sensors"];

const credentialFile = (folder: string): string => join(folder, "hub.credential");

export function credentialHeaders(secret: string): Record<string, string> {
  return API_KEY.test(secret) ? { "x-api-key": secret } : { authorization: `Bearer ${secret}` };
}

/** The node's credential at the hub, read anew for each request: a person may put another in its place. */
export const keptCredential =
  (folder: string): Credential =>
  () => {
    const file = credentialFile(folder);
    return statSync(file, { throwIfNoEntry: false }) ? credentialHeaders(readFileSync(file, "utf8").trim()) : {};
  };

/** For its owner's eyes alone, whole or not at all. */
export function keepCredential(folder: string, secret: string): void {
  const file = credentialFile(folder);
  writeSecretly(`${file}.begun`, secret);
  renameSync(`${file}.begun`, file);
  syncFolder(folder);
}

interface Enrolling {
  link: HubLink;
  key: NodeKey;
  hub: string;
  name: string;
  /** Of the person whose node it is: a token of their sign-in, used now and kept nowhere, or an API key. */
  token: string;
  /** Carries these problem sets alone; without them everything that its person sees. */
  problemSetIds?: readonly string[] | undefined;
}
type Ask = <T>(method: "GET" | "POST", path: string, body?: object) => Promise<T>;

/**
 * Makes the node known to its hub: its person says so, and the node proves that it has its key. What was done of it
 * before an answer was lost is found again.
 * @throws Unreachable, Refused
 */
export async function enrol(
  store: EdgeStore,
  { link, key, hub, name, token, problemSetIds }: Enrolling,
): Promise<Enrolled> {
  const headers = credentialHeaders(token);
  const ask: Ask = async (method, path, body) =>
    dataOf(await link.ask(method, path, { headers, ...(body && { body: JSON.stringify(body) }) }));
  await bind(ask, key, name);
  const wanted = { name, did: key.did, ...(problemSetIds?.length && { problemSetIds }) };
  const { id } = await ask<{ id: string }>("POST", "/api/edge-sync/nodes", wanted).catch(async (error: unknown) => {
    if (!isTaken(error)) throw error;
    const nodes = await ask<NodeAtHub[]>("GET", "/api/edge-sync/nodes?status=active&limit=200");
    const own = nodes.find(({ did, lastSeq }) => did === key.did && !lastSeq);
    if (!own) throw error;
    return own;
  });
  const enrolled: Enrolled = { hub, node: id, did: key.did, name };
  await store.change((rows) => rows.keepFact(FACT.enrolled, enrolled));
  return enrolled;
}

interface NodeAtHub {
  id: string;
  did: string;
  lastSeq: number;
}
const isTaken = (error: unknown): boolean => error instanceof HubRefusal && error.status === 409;

/** The node's DID becomes its person's, by a signature over the hub's challenge. */
async function bind(ask: Ask, key: NodeKey, name: string): Promise<void> {
  const about = { purpose: "register", subject: key.did };
  const { challenge, message } = await ask<{ challenge: string; message: string }>(
    "POST",
    "/api/identity/challenges",
    about,
  );
  const proof = { did: key.did, challenge, signature: key.signText(message) };
  await ask("POST", "/api/identity/register", { ...proof, entityType: "device", name }).catch((error: unknown) => {
    // Bound before. Where it is somebody else's, the enrolment says so.
    if (!isTaken(error)) throw error;
  });
}

/**
 * What the node shows its hub from now on: the API key that it was given, or for the token of a sign-in one of its own,
 * confined to what it carries, which its person can revoke.
 */
export async function credentialFor({
  link,
  name,
  token,
}: Pick<Enrolling, "link" | "name" | "token">): Promise<string> {
  if (API_KEY.test(token)) return token;
  const body = JSON.stringify({ name: `Edge node ${name}`, scopes: SCOPES });
  const answer = await link.ask("POST", "/api/keys", { headers: credentialHeaders(token), body });
  return dataOf<{ key: string }>(answer).key;
}
