import { createSecretKey } from "node:crypto";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso, steadily } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derive, sha256 } from "../../../../core/ids.ts";
import { notFound } from "../../../../core/problem.ts";
import { platformOf } from "../../identity/client.ts";
import { LEAST_ENTRIES } from "./bitstring.ts";
import { IssuedCredential } from "../credentials.ts";
import type { Credential } from "../data-model.ts";
import { prove } from "../issuer.ts";
import {
  indexOf,
  listCredential,
  listUrl,
  StatusList,
  TTL_MS,
  type StatusPosition,
  type Purpose,
} from "./status-lists.ts";

/** Signed lists by list and purpose, while nothing of the list changed. */
export type PublishedLists = Map<string, { rev: number; until: number; credential: Credential }>;

const MOST_KEPT = 200;
const DAY_MS = 86_400_000;
const MARKED: Record<Purpose, string> = { revocation: "revoked", suspension: "suspended" };

/** The address that the world reaches this platform by, without a slash at its end; it stands in every credential. */
export const baseOf = ({ world: { env } }: Host): string =>
  (env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`).replace(/\/$/, "");

/**
 * Takes the next free entry; opens a new list when all are full. An entry that is not used after all is lost, not given
 * twice.
 */
export async function takePosition(host: Host): Promise<StatusPosition> {
  const lists = host.store(StatusList).collection;
  const bytes = derive(host.world.secret, "status list order"),
    key = createSecretKey(bytes);
  // After a change of the root secret new lists are begun, in an order of their own.
  const order = sha256(bytes).slice(0, 8);
  for (;;) {
    const list = await lists.claim(
      { order, taken: { $lt: LEAST_ENTRIES } },
      { $inc: { taken: 1 } },
      { sort: ["taken"] },
    );
    if (list)
      return { list: list._id as number, index: indexOf(key, list._id as number, (list["taken"] as number) - 1) };
    // Another node may open it at the same time.
    await host.store(StatusList).createOnce(asSystem("credentials"), { id: (await lists.count()) + 1, order });
  }
}

/** Tells that a bit changed: whoever holds the signed list signs it anew. */
export const listChanged = (host: Host, list: number): Promise<unknown> =>
  host.store(StatusList).bulk([{ update: { _id: list }, with: { $inc: { rev: 1 } } }]);

/** The list as it stands, unsigned. */
async function listNow(host: Host, list: number, purpose: Purpose): Promise<Credential> {
  const marked = await host
    .store(IssuedCredential)
    .find(asSystem("credentials"), { list, status: MARKED[purpose] }, { fields: ["index"] });
  const now = host.world.clock.now();
  const { did } = await platformOf(host);
  return listCredential(
    listUrl(baseOf(host), list, purpose),
    purpose,
    did,
    marked.map(({ index }) => index),
    iso(now),
    iso(now + DAY_MS),
  );
}

/**
 * One entry as it stands: what is asked of one credential costs nothing for the others in its list. Throws a RangeError
 * beyond the list's end.
 */
export async function isMarked(host: Host, list: number, purpose: Purpose, index: number): Promise<boolean> {
  if (index >= LEAST_ENTRIES) throw new RangeError(`The list has no entry ${index}.`);
  return (
    (await host.store(IssuedCredential).count(asSystem("credentials"), { list, index, status: MARKED[purpose] })) > 0
  );
}

/** The signed list; throws 404 for one that there is not. */
export async function publishedList(
  host: Host,
  published: PublishedLists,
  list: number,
  purpose: Purpose,
): Promise<Credential> {
  const record = await host.store(StatusList).one(asSystem("credentials"), { _id: list });
  if (!record) throw notFound("status list", list);
  const key = `${list}/${purpose}`,
    { clock } = host.world,
    kept = published.get(key);
  if (kept && kept.rev === record.rev && kept.until > steadily(clock)) return kept.credential;
  const credential = await prove(host, await platformOf(host), await listNow(host, list, purpose), iso(clock.now()));
  if (published.size >= MOST_KEPT) published.clear();
  // A node that died between a credential's change and the list's revision is made good when the copy runs out.
  published.set(key, { rev: record.rev, until: steadily(clock) + TTL_MS, credential });
  return credential;
}
