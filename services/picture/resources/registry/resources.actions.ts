import { z } from "zod";
import { memberOf } from "../../../../core/access/access.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { bare, data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { conflict, invalid, isNotFound, nullIf, unprocessable } from "../../../../core/problem.ts";
import { methodsFor, publicKeyOf } from "../../../../core/did/verification-methods.ts";
import { verifies } from "../../../../core/did/signatures.ts";
import { holderOf, proof, proofRefused, resolveDid, spendChallenge } from "../../../identity/identity/client.ts";
import { placeOfMission } from "../../../workspace/missions/client.ts";
import { mayOutside, placeFor, type Place } from "../../place.ts";
import { asPlacesQuery, PlacedRecord, placesAsked } from "../../../../core/geo/placed.ts";
import { placedPoint } from "../../placed.ts";
import {
  ResourceAdded,
  ResourceChanged,
  ResourceGone,
  ResourceReadinessChanged,
  ResourceRemoved,
  told,
} from "../events.ts";
import { ResourceTouched } from "../telemetry/telemetry.ts";
import { CAPABILITIES, CategoryView } from "./capabilities.ts";
import { pageSomewhere, placeParameters } from "../../finding.ts";
import { capability, described, SearchText } from "./finding.ts";
import { hold, release, removeUnused } from "../uses/uses.ts";
import { derived, Did, READINESS, refusals, Resource } from "./resources.ts";

const set = "problemSetId";
export const READ = "resources:read";
export const EDIT = "resources:edit";
export const REPORT = "resources:report";
export const reading = { set, may: READ };
export const editing = { set, may: EDIT };
export const reporting = { set, may: REPORT };

const Counts = z.record(z.string(), z.int());
export const Stats = z
  .object({
    total: z.int(),
    registered: z.int().describe("Those under a DID."),
    located: z.int(),
    byReadiness: Counts,
    byKind: Counts,
    byCapability: Counts.describe("By each code, a parent's children counted with it."),
  })
  .meta({ id: "ResourceStats" });

type Given = Record<string, unknown> & Parameters<typeof derived>[0] & Parameters<typeof refusals>[0];

/** Throws 400, naming the field, for missions that the caller does not see, or of another problem set. */
async function demandMissions(ctx: Ctx<unknown>, place: Place, missionIds: readonly string[]): Promise<void> {
  const seen = await Promise.all(missionIds.map((id) => placeOfMission(ctx, id).catch(nullIf(isNotFound))));
  const bad = seen.flatMap((mission, at) =>
    !mission || mission.problemSetId !== place.problemSetId
      ? [{ path: `missionIds.${at}`, message: "There is no such mission in the problem set of the resource." }]
      : mission.compartments.every((id) => place.compartments.includes(id))
        ? []
        : [{ path: `missionIds.${at}`, message: "It lies in a compartment that the resource does not lie in." }],
  );
  if (bad.length) throw invalid(bad);
}

/** The fields of a new resource, with what follows from them. */
export async function drafted(host: Host, ctx: Ctx<unknown>, place: Place, given: Given): Promise<Given> {
  const wrong = refusals(given);
  if (wrong.length) throw invalid(wrong);
  await demandMissions(ctx, place, (given["missionIds"] as string[] | undefined) ?? []);
  const at = iso(host.world.clock.now());
  const { cell, external, ...known } = derived(given, place);
  return {
    ...given,
    ...place,
    ...known,
    ...(cell && { cell }),
    ...(external && { external }),
    readinessAt: at,
    ...(given.location && { locatedAt: at }),
  };
}

/** What a change comes to, with what follows from it. */
export async function revised(
  host: Host,
  ctx: Ctx<unknown>,
  before: Resource,
  change: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const after = { ...before, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) };
  const wrong = refusals(after);
  if (wrong.length) throw invalid(wrong);
  if (change["missionIds"]) await demandMissions(ctx, before, after.missionIds);
  const moved = change["location"] !== undefined;
  const isReady = change["readiness"] !== undefined && change["readiness"] !== before.readiness;
  const at = iso(host.world.clock.now());
  return {
    ...change,
    ...derived(after, before),
    ...(moved && { locatedAt: change["location"] === null ? null : at }),
    ...(isReady && { readinessAt: at, readinessReason: null }),
  };
}

interface Proving {
  did: string;
  challenge?: string | undefined;
  signature?: string | undefined;
}

/** Throws 400 without a proof of control over a DID that is not the caller's own already, 422 for one that is no good. */
async function demandControl(host: Host, ctx: Ctx<unknown>, { did, challenge, signature }: Proving): Promise<void> {
  const { userId } = ctx.meta.actor!;
  if (challenge === undefined && signature === undefined && (await holderOf(host, did)) === userId) return;
  if (challenge === undefined || signature === undefined)
    throw invalid([
      {
        path: challenge === undefined ? "challenge" : "signature",
        message: "Control of a DID that is not yours already must be proved.",
      },
    ]);
  const { didDocument, error } = await resolveDid(host, did, userId);
  if (!didDocument)
    throw unprocessable("DID_UNRESOLVED", "This DID does not resolve.", [{ path: "did", message: error ?? "none" }]);
  const message = Buffer.from(await spendChallenge(host, { userId, purpose: "register", subject: did, challenge }));
  const bytes = Buffer.from(signature, "base64url");
  const keys = methodsFor(didDocument, "assertionMethod").map(publicKeyOf);
  if (!keys.some((key) => key && verifies(key, message, bytes))) throw proofRefused("the DID's keys");
}

const DESCRIBED =
  "`capability` finds all below it in the tree; `bbox`, `near` and `within` find by where a resource is.";

export const resourceActions = {
  list: endpoint({
    rest: "GET /",
    summary: "List resources by what they can do and where they are",
    permit: READ,
    within: reading,
    query: { ...Resource.query, capability, ...placeParameters },
    returns: list(Resource.view),
    tool: "list_resources",
    description: DESCRIBED,
    handler(ctx) {
      return pageSomewhere(this.store(Resource), ctx, ctx.params, described(ctx.params));
    },
  }),

  search: endpoint({
    rest: "GET /registry/search",
    summary: "Search the registry of resources",
    permit: READ,
    within: reading,
    query: { q: SearchText, ...Resource.query, capability, ...placeParameters },
    returns: list(Resource.view),
    tool: "search_resources",
    description: `Words of name, serial number, external id, kind and description. ${DESCRIBED}`,
    handler(ctx) {
      return pageSomewhere(this.store(Resource), ctx, ctx.params, described(ctx.params));
    },
  }),

  "capabilities.list": endpoint({
    rest: "GET /registry/capabilities",
    summary: "Show the tree of capabilities",
    permit: READ,
    returns: data(z.array(CategoryView)),
    cacheSeconds: 3_600,
    handler: () => [...CAPABILITIES],
  }),

  getStats: endpoint({
    rest: "GET /registry/stats",
    summary: "Count the resources that you see",
    permit: READ,
    within: reading,
    query: { problemSetId: TextId.optional() },
    returns: data(Stats),
    async handler(ctx) {
      const store = this.store(Resource);
      const { problemSetId } = ctx.params;
      const query = store.within(ctx, problemSetId === undefined ? {} : { problemSetId });
      const { collection } = store;
      const counts = async (by: string, unwind = false): Promise<Record<string, number>> =>
        Object.fromEntries(
          (await collection.groups({ query, by, unwind })).map(({ key, count }) => [String(key), count]),
        );
      const [byReadiness, byKind, byCapability, registered, located] = await Promise.all([
        counts("readiness"),
        counts("kind"),
        counts("abilities", true),
        collection.count({ query: { $and: [query, { did: { $exists: true } }] } }),
        collection.count({ query: { $and: [query, { cell: { $exists: true } }] } }),
      ]);
      const total = Object.values(byReadiness).reduce((sum, count) => sum + count, 0);
      return { total, registered, located, byReadiness, byKind, byCapability };
    },
  }),

  register: endpoint({
    rest: "POST /registry/register",
    summary: "Enter a resource into the registry under a DID",
    permit: "signed-in",
    within: editing,
    body: {
      did: Did,
      challenge: proof.challenge.optional(),
      signature: proof.signature.optional(),
      resourceId: TextId.optional().describe("A resource that is there already; otherwise a new one is made."),
      ...Resource.create,
      name: Resource.create.name.optional().describe("Needed for a new one."),
    },
    returns: data(Resource.view),
    status: 201,
    errors: {
      409: "Another resource has the DID, or this one has another.",
      422: "The DID does not resolve, the challenge is not good, or the signature is not one of the DID's keys.",
    },
    description:
      "The DID's control is proved: it is yours (`/api/identity/register`), or its key signs the message of a challenge of purpose `register` with the DID as subject (`POST /api/identity/challenges`). A DID stands for one resource.",
    example: {
      did: "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
      problemSetId: "the problem set's id",
      name: "Truck 7",
      kind: "vehicle",
    },
    async handler(ctx) {
      const { did, challenge, signature, resourceId, name, ...fields } = ctx.params;
      const actor = ctx.meta.actor!;
      const store = this.store(Resource);
      const before = resourceId === undefined ? undefined : await store.get(ctx, resourceId);
      if (before?.problemSetId !== undefined) memberOf(actor, before.problemSetId, EDIT, { writes: true });
      const place = before ?? placeFor(actor, fields, EDIT);
      if (before) placeFor(actor, before, EDIT);
      if (!before && name === undefined) throw invalid([{ path: "name", message: "A new resource has a name." }]);
      if (before?.did === did) return before;
      if (before?.did) throw conflict("The resource is registered under another DID.", { did: before.did });
      await demandControl(this, ctx, { did, challenge, signature });
      const registered = { did, registeredAt: iso(this.world.clock.now()) };
      if (before)
        return store.revise(ctx, before, registered, {
          facts: (made: Resource) => told(ResourceChanged, made, actor.userId),
        });
      return store.create(
        ctx,
        { ...(await drafted(this, ctx, place, { ...fields, name: name! })), ...registered },
        { facts: (made: Resource) => told(ResourceAdded, made, actor.userId) },
      );
    },
  }),

  lookUp: endpoint({
    rest: "GET /did/:did",
    summary: "Find a resource by its DID",
    permit: READ,
    path: { did: Did },
    returns: data(Resource.view),
    description: "The DID stands in the path as one segment, its percent signs and slashes encoded.",
    async handler(ctx) {
      const { did } = ctx.params;
      const found = await this.store(Resource).one(ctx, { did });
      return found ?? this.store(Resource).get(ctx, did.slice(0, 64));
    },
  }),

  get: endpoint({
    rest: "GET /:id",
    summary: "Show a resource",
    permit: READ,
    within: reading,
    on: Resource,
    returns: data(Resource.view),
    tool: "show_resource",
    handler: (_ctx, resource) => resource,
  }),

  create: endpoint({
    rest: "POST /",
    summary: "Add a resource",
    permit: "signed-in",
    within: editing,
    body: Resource.create,
    returns: data(Resource.view),
    status: 201,
    example: { name: "Truck 7", kind: "vehicle", capabilities: ["mobility.ground.wheeled"] },
    async handler(ctx) {
      const actor = ctx.meta.actor!;
      const place = placeFor(actor, ctx.params, EDIT);
      return this.store(Resource).create(ctx, await drafted(this, ctx, place, ctx.params), {
        facts: (made: Resource) => told(ResourceAdded, made, actor.userId),
      });
    },
  }),

  update: endpoint({
    rest: "PATCH /:id",
    summary: "Edit a resource",
    permit: "signed-in",
    within: editing,
    on: Resource,
    when: mayOutside(EDIT),
    body: Resource.change,
    returns: data(Resource.view),
    async handler(ctx, resource) {
      const made = await this.store(Resource).revise(ctx, resource, await revised(this, ctx, resource, ctx.params), {
        facts: (after: Resource) => told(ResourceChanged, after, ctx.meta.actor!.userId),
      });
      await ResourceTouched.emit(this, { id: made.id });
      return made;
    },
  }),

  setStatus: endpoint({
    rest: "PATCH /:id/status",
    summary: "Say how ready a resource is",
    permit: "signed-in",
    within: reporting,
    on: Resource,
    when: mayOutside(REPORT),
    body: { readiness: z.enum(READINESS), reason: z.string().min(1).max(1_000).nullable().optional() },
    returns: data(Resource.view),
    example: { readiness: "maintenance", reason: "Waits for a gearbox." },
    async handler(ctx, resource) {
      const { readiness, reason } = ctx.params;
      const isNew = readiness !== resource.readiness;
      return this.store(Resource).revise(
        ctx,
        resource,
        {
          readiness,
          readinessReason: reason ?? (isNew ? null : undefined),
          ...(isNew && { readinessAt: iso(this.world.clock.now()) }),
        },
        {
          facts: (made: Resource) =>
            isNew ? told(ResourceReadinessChanged, made, ctx.meta.actor!.userId, { readiness }) : [],
        },
      );
    },
  }),

  remove: endpoint({
    rest: "DELETE /:id",
    summary: "Remove a resource and its readings",
    permit: "signed-in",
    within: editing,
    on: Resource,
    when: mayOutside(EDIT),
    returns: nothing(),
    status: 204,
    errors: { 409: "A group, mission or sensor uses it; `details.usedBy` names them." },
    async handler(ctx, resource) {
      const missions = await Promise.all(
        resource.missionIds.map((id) => placeOfMission(ctx, id).catch(nullIf(isNotFound))),
      );
      const missionIds = resource.missionIds.filter((_, at) => missions[at]);
      await removeUnused(this, ctx, { id: resource.id, missionIds }, () =>
        this.store(Resource).remove(ctx, resource, {
          facts: [...told(ResourceRemoved, resource, ctx.meta.actor!.userId), ResourceGone.fact(resource.id, resource)],
        }),
      );
      await ResourceTouched.emit(this, { id: resource.id });
      return null;
    },
  }),

  /** What the picture shows of resources: those with a place. */
  placed: endpoint({
    summary: "The resources of a problem set that have a place, or those of them that changed since",
    permit: "internal",
    body: placesAsked,
    returns: bare(z.array(PlacedRecord)),
    async handler(ctx) {
      const found = await this.store(Resource).find(ctx, asPlacesQuery(ctx.params));
      return found.flatMap((one) => {
        const placed = placedPoint(one);
        const { kind, readiness: status, did } = one;
        return placed ? [{ ...placed, kind, status, ...(did !== undefined && { did }) }] : [];
      });
    },
  }),

  /** Notes that something of another domain uses a resource; 404 to whoever does not see it. */
  hold: endpoint({
    summary: "Note that something uses a resource",
    permit: "signed-in",
    body: {
      resourceId: TextId,
      type: z.enum(["sensor"]),
      by: TextId,
      name: z.string(),
      compartments: z.array(z.string()),
    },
    returns: bare(z.object({ problemSetId: z.string().optional(), name: z.string() })),
    async handler(ctx) {
      const { resourceId, type, by: id, name, compartments } = ctx.params;
      return hold(this, ctx, resourceId, { type, id, name, compartments });
    },
  }),

  release: endpoint({
    summary: "Note that something uses a resource no more",
    permit: "internal",
    body: { resourceId: TextId, by: TextId },
    returns: bare(z.null()),
    async handler(ctx) {
      await release(this, ctx.params.resourceId, ctx.params.by);
      return null;
    },
  }),
};
