import fc from "fast-check";
import { crc32, deflateSync } from "node:zlib";
import { systemActor } from "../../core/access/access.ts";
import { pictureOf } from "../../services/identity/user-profile/avatars.ts";
import { world, type TestWorld } from "../mesh.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world({ PROFILE_REQUIRED: "displayName,organisation", BLOCKED_EMAILS: "spam@example.org,*.bad.example" });
});
afterAll(() => at.stop());

const save = (body: object, as = "analyst") => at.http("POST", "/api/user-profile", { as, body });
const validate = async (email: string) =>
  (await at.http("POST", "/api/user-profile/validate-email", { as: null, body: { email } })).body.data;

describe("profile", () => {
  it("tells what the account knows before the first save, and what is missing", async () => {
    const { body } = await at.http("GET", "/api/user-profile", { as: "reader" });
    expect(body.data).toMatchObject({
      email: "reader-account@example.org",
      role: "reader",
      complete: false,
      missing: ["displayName", "organisation"],
      rev: 0,
    });
  });

  it("is made and changed by one call; fields left out stay, null clears, what is required stays", async () => {
    const refused = await save({ displayName: "Ada Lovelace" });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: "organisation" }] } } });
    const made = (
      await save({
        displayName: "Ada Lovelace",
        organisation: "Analytical Society",
        locale: "en-gb",
        timeZone: "Europe/London",
        phone: "+442012345678",
      })
    ).body.data;
    expect(made).toMatchObject({ displayName: "Ada Lovelace", locale: "en-GB", complete: true, missing: [], rev: 1 });
    const changed = (await save({ phone: null, position: "Countess" })).body.data;
    expect(changed).toMatchObject({
      displayName: "Ada Lovelace",
      position: "Countess",
      timeZone: "Europe/London",
      rev: 2,
    });
    expect(changed).not.toHaveProperty("phone");
    expect((await save({ organisation: null })).status).toBe(400);
    expect((await at.http("GET", "/api/user-profile", { as: "analyst" })).body.data).toEqual(changed);
  });

  it.each([
    ["locale", "not a locale"],
    ["locale", "e"],
    // What is kept of it would be longer than what came: `sr-Latn-x-…`.
    ["locale", `sh-x-${Array(6).fill("abcdefgh").join("-")}`],
    ["timeZone", "Mars/Olympus"],
    ["timeZone", "+02:00"],
    ["phone", "0123"],
    ["displayName", "   "],
  ])("names the field of a wrong %s: %s", async (path, value) => {
    expect((await save({ displayName: "A", organisation: "B", [path]: value })).body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [expect.objectContaining({ path })],
    });
  });

  it("gives what a registration must supply as data whose schemas are the ones that judge", async () => {
    const { fields, email, credential } = (
      await at.http("GET", "/api/user-profile/registration-requirements", { as: null })
    ).body.data;
    expect(fields.slice(0, 3).map((field: any) => [field.name, field.required])).toEqual([
      ["displayName", true],
      ["organisation", true],
      ["givenName", false],
    ]);
    expect(fields.find((field: any) => field.name === "phone").schema).toMatchObject({
      type: "string",
      pattern: expect.any(String),
    });
    expect({ email, credential }).toEqual({ email: { required: true, restricted: false }, credential: "passkey" });
  });

  it("refuses to start with a required field that there is none of", async () => {
    await expect(world({ PROFILE_REQUIRED: "shoeSize" })).rejects.toThrow(/PROFILE_REQUIRED.*shoeSize/);
  });
});

describe("who is let in", () => {
  it("lets in every domain until there is an allowlist, then those on it", async () => {
    expect(await validate("Someone@Anywhere.example")).toEqual({
      email: "someone@anywhere.example",
      valid: true,
      allowed: true,
    });
    await at.http("PUT", "/api/user-profile/email-domains", { body: { domain: "*.Allies.example" } });
    await at.http("PUT", "/api/user-profile/email-domains", { body: { domain: "münchen.example" } });
    expect((await at.http("GET", "/api/user-profile/email-domains")).body.data.map(({ value }: any) => value)).toEqual([
      "*.allies.example",
      "xn--mnchen-3ya.example",
    ]);
    expect(await validate("a@anywhere.example")).toMatchObject({ allowed: false, reason: "DOMAIN_NOT_ALLOWED" });
    expect(await validate("a@allies.example")).toMatchObject({ allowed: false });
    expect(await validate("a@deep.sub.allies.example")).toMatchObject({ allowed: true });
    expect(await validate("a@notallies.example")).toMatchObject({ allowed: false });
    expect(await validate("a@MÜNCHEN.example")).toMatchObject({ email: "a@xn--mnchen-3ya.example", allowed: true });
    expect(
      (await at.http("GET", "/api/user-profile/registration-requirements", { as: null })).body.data.email.restricted,
    ).toBe(true);
    for (const domain of ["*.allies.example", "münchen.example"])
      expect(
        (await at.http("DELETE", `/api/user-profile/email-domains?domain=${encodeURIComponent(domain)}`)).status,
      ).toBe(204);
    expect((await at.http("DELETE", "/api/user-profile/email-domains?domain=allies.example")).status).toBe(404);
    expect(await validate("a@anywhere.example")).toMatchObject({ allowed: true });
  });

  it("shuts out blocked addresses and domains, labels included, from settings and from the list", async () => {
    await at.http("PUT", "/api/user-profile/blocked-emails", { body: { email: "Eve@Example.org" } });
    await at.http("PUT", "/api/user-profile/blocked-emails", { body: { email: "Eve@Example.org" } });
    for (const email of [
      "eve@example.org",
      "EVE+new@example.org",
      "spam@example.org",
      "spam+1@example.org",
      "x@deep.bad.example",
    ])
      expect(await validate(email)).toMatchObject({ valid: true, allowed: false, reason: "BLOCKED" });
    expect(await validate("steve@example.org")).toMatchObject({ allowed: true });
    const { data, meta } = (await at.http("GET", "/api/user-profile/blocked-emails")).body;
    expect([data.map((row: any) => [row.id === null, row.value]), meta.total]).toEqual([
      [
        [true, "spam@example.org"],
        [true, "*.bad.example"],
        [false, "eve@example.org"],
      ],
      1,
    ]);
    expect(
      (await at.http("PUT", "/api/user-profile/blocked-emails", { body: { email: "not a domain" } })).body.error
        .details[0].path,
    ).toBe("email");
    expect(await at.call("user-profile.admit", { email: "eve@example.org" }, systemActor("test"))).toMatchObject({
      allowed: false,
      reason: "BLOCKED",
    });
  });

  it("answers for any text at all, and says of what is no address that it is none", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 320 }), async (email) => {
        const answer = await at.call("user-profile.admit", { email }, systemActor("test"));
        expect(answer.valid || answer.reason === "MALFORMED").toBe(true);
      }),
      { numRuns: 100 },
    );
    expect(await validate("two@@example.org")).toMatchObject({ valid: false, allowed: false, reason: "MALFORMED" });
  });
});

const chunk = (kind: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const head = Buffer.alloc(4),
    tail = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
};
function png(width: number, height: number, extra: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    ...extra,
    chunk("IDAT", deflateSync(Buffer.alloc(3 * 4))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
/**
 * The marker segments of a JPEG (T.81 annex B) around a scan with stuffed bytes and restarts; only structure is looked
 * at.
 */
const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]), data]);
const jpeg = (extra: Buffer[] = []): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...extra,
    segment(0xc2, Buffer.from([8, 0, 5, 0, 7, 1, 1, 0x11, 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]),
    segment(0xc4, Buffer.from([0xff, 0xd9, 7])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([9, 9]),
    Buffer.from([0xff, 0xd9]),
  ]);
function webp(extra: Buffer[] = []): Buffer {
  const part = (kind: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(kind, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const vp8x = Buffer.from([0b0000_1100, 0, 0, 0, 8, 0, 0, 4, 0, 0]);
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    part("VP8X", vp8x),
    ...extra.map((data) => part("EXIF", data)),
    part("VP8L", Buffer.from([0x2f, 8, 0, 1, 0, 1, 2, 3, 4])),
  ]);
  const head = Buffer.from("RIFF\0\0\0\0", "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

describe("picture", () => {
  const SECRET = "48.2082N 16.3738E";
  const put = (raw: Buffer, as = "analyst", type = "image/png") =>
    at.http("PUT", "/api/user-profile/avatar", { as, raw: raw as never, type });

  it("is kept by what its bytes are, without what is not picture, and served so that nothing in it runs", async () => {
    const stored = await put(
      png(3, 4, [chunk("tEXt", Buffer.from(`Place\0${SECRET}`)), chunk("eXIf", Buffer.from(SECRET))]),
      "analyst",
      "image/gif",
    );
    expect(stored).toMatchObject({ status: 200, body: { data: { type: "image/png", width: 3, height: 4 } } });
    const shown = await fetch(at.url + stored.body.data.url, {
      headers: { authorization: `Bearer ${await at.tokenOf("reader")}` },
    });
    const bytes = Buffer.from(await shown.arrayBuffer());
    expect(bytes).toEqual(png(3, 4));
    expect(
      Object.fromEntries(
        ["content-type", "x-content-type-options", "content-security-policy"].map((name) => [
          name,
          shown.headers.get(name),
        ]),
      ),
    ).toEqual({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect((await at.http("GET", "/api/user-profile", { as: "analyst" })).body.data.avatar).toBe(stored.body.data.url);
    expect((await at.http("DELETE", "/api/user-profile/avatar", { as: "analyst" })).status).toBe(204);
    expect((await at.http("GET", stored.body.data.url, { as: "analyst" })).status).toBe(404);
  });

  it("is PNG, JPEG or WebP; pages, scripts and vector pictures are refused, whatever they are called", async () => {
    for (const text of [
      "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
      "<!doctype html><script>alert(1)</script>",
      "GIF89a/*",
      "%PDF-1.7",
    ])
      expect((await put(Buffer.from(text))).status).toBe(415);
    expect(await put(png(5_000, 2))).toMatchObject({ status: 422, body: { error: { code: "IMAGE_TOO_LARGE" } } });
    expect((await put(Buffer.concat([png(1, 1), Buffer.alloc(600_000)]))).status).toBe(413);
  });

  it("loses what follows its end and what stands beside it, in each of the three", () => {
    const trailer = Buffer.from(`PK\u0003\u0004${SECRET}`);
    for (const [dirty, clean] of [
      [Buffer.concat([png(3, 4), trailer]), png(3, 4)],
      [
        Buffer.concat([jpeg([segment(0xe1, Buffer.from(SECRET)), segment(0xfe, Buffer.from(SECRET))]), trailer]),
        jpeg(),
      ],
    ] as const)
      expect(pictureOf(dirty).bytes).toEqual(clean);
    const picture = pictureOf(Buffer.concat([webp([Buffer.from(SECRET)]), trailer]));
    expect(picture).toMatchObject({ type: "image/webp", width: 9, height: 5 });
    expect(picture.bytes.includes(SECRET)).toBe(false);
    expect(picture.bytes[20]).toBe(0);
    expect(pictureOf(jpeg())).toMatchObject({ width: 7, height: 5 });
  });

  it("is refused, not fallen over, when damaged anywhere", () => {
    for (const whole of [png(3, 4), jpeg(), webp()])
      fc.assert(
        fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (where, byte, cut) => {
          const damaged = cut ? whole.subarray(0, where) : Buffer.from(whole);
          if (!cut) damaged[where] = byte;
          try {
            expect(pictureOf(Buffer.from(damaged)).bytes.length).toBeLessThanOrEqual(whole.length + 2);
          } catch (error) {
            expect(error).toMatchObject({ name: "Problem" });
          }
        }),
        { numRuns: 300 },
      );
  });
});
