import { z } from "zod";
import type { Collection } from "../../../core/records/documents.ts";
import { personOf } from "../../../core/access/access.ts";
import { bare, data, file, nothing } from "../../../core/contract/answer.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { on } from "../../../core/events/event.ts";
import { sha256 } from "../../../core/ids.ts";
import { invalid, notFound } from "../../../core/problem.ts";
import { StartRefused } from "../../../core/start-refused.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { AccountGivenUp } from "../auth/events.ts";
import { admissionActions, isRestricted } from "./admission.actions.ts";
import { admissionListActions } from "./admission-lists.actions.ts";
import { AdmissionRule } from "./admission.ts";
import { AvatarView, MOST_BYTES, pictureOf } from "./avatars.ts";
import { Erasure, ErasureRequested } from "./erasures.ts";
import { begin, ERASE_JOB, eraseEverywhere, noteErasure, personalActions, resume } from "./personal.actions.ts";
import {
  FIELD_NAMES,
  missingOf,
  Profile,
  ProfileView,
  Saved,
  profileView,
  type AccountFacts,
  type FieldName,
} from "./profiles.ts";
import { Requirements, requirementsOf } from "./requirements.ts";

interface Profiles extends Host {
  avatars: Collection;
}

const HOUR_MS = 3_600_000;
const caller = asSystem("user-profile");

export default {
  name: "user-profile",
  metadata: { description: "Your profile and picture, mail address rules, and the export or erasure of your data." },
  settings: { rest: "/user-profile" },
  mixins: [
    domain({
      entities: [Profile, AdmissionRule, Erasure],
      hears: [
        on(AccountGivenUp, async function (this: Host, { userId }) {
          await noteErasure(this, caller, userId);
        }),
        on(ErasureRequested, async function (this: Host, { userId }) {
          await begin(this, userId);
        }),
      ],
      jobs: { [ERASE_JOB]: { run: eraseEverywhere, attempts: 30, concurrency: 2 } },
      schedules: { "resume-erasures": { everyMs: HOUR_MS, run: resume } },
      personal: [
        { what: "Profile", entity: Profile, by: "id", erasure: "remove" },
        {
          what: "Picture",
          async gather(this: Profiles, userId) {
            const kept = await this.avatars.findById(userId);
            return kept ? [{ type: kept["type"], base64: kept["bytes"] }] : [];
          },
          async erase(this: Profiles, userId) {
            await this.avatars.removeById(userId);
          },
        },
        {
          what: "Wish to be erased",
          entity: Erasure,
          by: "id",
          erasure: { keep: "It proves that the wish was granted, and names nobody." },
        },
      ],
    }),
  ],

  actions: {
    get: endpoint({
      rest: "GET /",
      summary: "Read your profile",
      permit: "self",
      returns: data(ProfileView),
      description:
        "Before the first save it contains what the account knows, with `rev` 0; `missing` names the " +
        "required fields that are empty.",
      async handler(ctx) {
        const { userId } = ctx.meta.actor!;
        return profileView(userId, await accountOf(this, userId), await kept(this, userId), requiredBy(this));
      },
    }),

    save: endpoint({
      rest: "POST /",
      summary: "Create or change your profile",
      permit: "signed-in",
      body: Saved,
      returns: data(ProfileView),
      example: { displayName: "Ada Lovelace", locale: "en-GB", timeZone: "Europe/London" },
      description: "Omitted fields stay unchanged, null clears. Fields required at registration cannot be cleared.",
      errors: { 403: "A key cannot change its owner's profile.", 409: "It was changed at the same time." },
      async handler(ctx) {
        const userId = personOf(ctx.meta.actor);
        const [before, account] = await Promise.all([kept(this, userId), accountOf(this, userId)]);
        const required = requiredBy(this);
        const known = { ...(account?.name && { displayName: account.name }), ...before };
        const missing = missingOf(
          { ...known, ...Object.fromEntries(Object.entries(ctx.params).filter(([, value]) => value !== undefined)) },
          required,
        );
        if (missing.length) throw invalid(missing.map((path) => ({ path, message: "Registration asks for this." })));
        const given = Object.fromEntries(Object.entries(ctx.params).filter(([, value]) => value !== null));
        const saved = before
          ? await this.store(Profile).revise(ctx, before, ctx.params)
          : await this.store(Profile).create(ctx, { ...given, id: userId });
        return profileView(userId, account, saved, required);
      },
    }),

    getRequirements: endpoint({
      rest: "GET /registration-requirements",
      summary: "List the fields that a registration requires",
      permit: "public",
      returns: data(Requirements),
      cacheSeconds: 60,
      description:
        "Fields as data, each with a JSON Schema, required ones first; the settings determine which those are.",
      async handler() {
        return requirementsOf(requiredBy(this), await isRestricted(this));
      },
    }),

    "avatars.put": endpoint({
      rest: "PUT /avatar",
      summary: "Set your profile picture",
      permit: "signed-in",
      beyond: true,
      consumes: "image/*",
      binary: true,
      bodyLimit: MOST_BYTES,
      body: z.custom<Uint8Array>((given) => given instanceof Uint8Array),
      returns: data(AvatarView),
      description:
        "PNG, JPEG or WebP of at most 512 KiB and 4096 pixels a side, recognised by content, not by name. " +
        "Embedded texts, locations and other metadata are removed.",
      errors: { 422: "The picture is damaged (`INVALID_IMAGE`) or has too many pixels (`IMAGE_TOO_LARGE`)." },
      async handler(ctx) {
        const userId = personOf(ctx.meta.actor);
        const { type, width, height, bytes } = pictureOf(Buffer.from(ctx.params.body));
        const checksum = sha256(bytes).slice(0, 16);
        await (this as unknown as Profiles).avatars.bulk([
          {
            update: { _id: userId },
            with: { $set: { type, checksum, bytes: bytes.toString("base64") } },
            upsert: true,
          },
        ]);
        const before = await kept(this, userId);
        if (before) await this.store(Profile).revise(ctx, before, { avatar: { type, checksum } });
        else await this.store(Profile).create(ctx, { id: userId, avatar: { type, checksum } });
        return { url: `/api/user-profile/avatars/${userId}?v=${checksum}`, type, width, height, bytes: bytes.length };
      },
    }),

    "avatars.remove": endpoint({
      rest: "DELETE /avatar",
      summary: "Remove your profile picture",
      permit: "signed-in",
      beyond: true,
      returns: nothing(),
      status: 204,
      async handler(ctx) {
        const userId = personOf(ctx.meta.actor);
        const before = await kept(this, userId);
        if (before?.avatar) await this.store(Profile).revise(ctx, before, { avatar: null });
        await (this as unknown as Profiles).avatars.removeById(userId);
        return null;
      },
    }),

    "avatars.get": endpoint({
      rest: "GET /avatars/:userId",
      summary: "Read a person's profile picture",
      permit: "signed-in",
      beyond: true,
      path: { userId: TextId },
      query: { v: z.string().max(64).optional().describe("Changes with the picture, so that it can be kept.") },
      returns: file("image/*"),
      cacheSeconds: 3_600,
      async handler(ctx) {
        const found = await (this as unknown as Profiles).avatars.findById(ctx.params.userId);
        if (!found) throw notFound("picture", ctx.params.userId);
        ctx.meta.$responseHeaders = {
          "Content-Type": found["type"],
          "Content-Security-Policy": "default-src 'none'; sandbox",
          "Cross-Origin-Resource-Policy": "same-origin",
        };
        return Buffer.from(found["bytes"], "base64");
      },
    }),

    people: endpoint({
      summary: "What persons tell others they are called, and who of them wished to be erased",
      permit: "internal",
      body: { ids: z.array(z.string()) },
      returns: bare(z.array(z.object({ id: z.string(), displayName: z.string().optional(), erased: z.boolean() }))),
      async handler(ctx) {
        const { ids } = ctx.params;
        const [profiles, erasures] = await Promise.all([
          this.store(Profile).many(caller, ids),
          this.store(Erasure).many(caller, ids),
        ]);
        return [
          ...profiles.map(({ id, displayName }) => ({ id, displayName, erased: false })),
          ...erasures.map(({ id }) => ({ id, erased: true })),
        ];
      },
    }),

    ...admissionActions,
    ...admissionListActions,
    ...personalActions,
  },

  async started(this: Profiles) {
    requiredBy(this);
    this.avatars = await this.world.documents.collection("avatars");
  },
} satisfies MeshService;

/** Throws where the setting names a field that profiles do not have. */
function requiredBy({ world: { env } }: Host): FieldName[] {
  const unknown = env.PROFILE_REQUIRED.find((name) => !(FIELD_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new StartRefused(`PROFILE_REQUIRED: a profile has no field ${unknown}; it has ${FIELD_NAMES.join(", ")}.`);
  return env.PROFILE_REQUIRED as FieldName[];
}

const kept = (host: Host, userId: string): Promise<Profile | null> => host.store(Profile).one(caller, { _id: userId });
const accountOf = (host: Host, userId: string): Promise<AccountFacts | null> =>
  host.ask<AccountFacts | null>("auth.person", { userId });
