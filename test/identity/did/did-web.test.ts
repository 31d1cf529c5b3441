import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { systemActor } from "../../../core/access/access.ts";
import { CERTIFICATE, CERTIFICATE_KEY } from "../../fixtures/identity/localhost-tls.ts";
import { eventually, world, type TestWorld } from "../../mesh.ts";

const mesh = systemActor("test");
let at: TestWorld;
let server: Server;
let port: number;
let folder: string;
/** Served by saying nothing; who waits for it. */
const SILENCE = "silence";
const silent: ServerResponse[] = [];
/** What stands at each path: a document, a status, or text. */
const served = new Map<string, object | number | string>();

beforeAll(async () => {
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), CERTIFICATE]);
  server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (req, res) => {
    const found = served.get(req.url!) ?? 404;
    if (found === SILENCE) return void silent.push(res);
    if (typeof found === "number")
      return void res.writeHead(found, found === 302 ? { Location: "/elsewhere/did.json" } : {}).end();
    res
      .writeHead(200, { "Content-Type": "application/did+json" })
      .end(typeof found === "string" ? found : JSON.stringify(found));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  port = (server.address() as AddressInfo).port;
  // Processes take it from their environment.
  folder = await mkdtemp(join(tmpdir(), "signalmesh-ca-"));
  await writeFile(join(folder, "ca.pem"), CERTIFICATE);
  at = await world({ PUBLIC_URL: "https://mesh.example:8443", NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") });
});
afterAll(async () => {
  await at.stop();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await rm(folder, { recursive: true, force: true });
});

const resolve = async (did: string) =>
  (await at.http("POST", "/api/identity/did/resolve", { as: null, body: { did } })).body.data;
const didOf = (...path: string[]) => [`did:web:localhost%3A${port}`, ...path].join(":");
const document = (id: string) => ({
  "@context": "https://www.w3.org/ns/did/v1",
  id,
  verificationMethod: [
    {
      id: `${id}#1`,
      type: "Multikey",
      controller: id,
      publicKeyMultibase: "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
    },
  ],
  authentication: [`${id}#1`],
});

describe("did:web of others", () => {
  it("is fetched over HTTPS from where the method says", async () => {
    for (const [did, path] of [
      [didOf(), "/.well-known/did.json"],
      [didOf("user", "alice"), "/user/alice/did.json"],
    ] as const) {
      served.set(path, document(did));
      expect((await resolve(did)).didDocument).toEqual(document(did));
    }
  });

  it.each([
    ["is not there", "gone", 404, "notFound"],
    ["was taken away", "taken", 410, "notFound"],
    ["is behind an error", "failing", 500, "internalError"],
    ["is behind a redirect", "moved", 302, "internalError"],
    ["is no JSON", "text", "<html>", "invalidDidDocument"],
    ["is another's", "other", { id: "did:web:other.example" }, "invalidDidDocument"],
    ["is of a wrong shape", "shape", { id: 1 }, "invalidDidDocument"],
    ["is too large", "large", `"${"x".repeat(300_000)}"`, "internalError"],
  ])("has no document that %s", async (_what, name, found, error) => {
    served.set(`/${name}/did.json`, found);
    expect((await resolve(didOf(name))).didResolutionMetadata.error).toBe(error);
  });

  it("never leads into private networks unless the settings allow them", async () => {
    const closed = await world({ ALLOW_PRIVATE_FEEDS: "off" });
    try {
      served.set("/.well-known/did.json", document(didOf()));
      const answer = (await closed.http("POST", "/api/identity/did/resolve", { as: null, body: { did: didOf() } })).body
        .data;
      expect([answer.didDocument, answer.didResolutionMetadata.error]).toEqual([null, "notFound"]);
    } finally {
      await closed.stop();
    }
  });
});

describe("a server that does not answer", () => {
  it("keeps nobody else waiting: a stranger waits for a few DIDs at once, everybody else is served", async () => {
    served.set("/silent/did.json", SILENCE);
    const [other, peer] = [await at.tokenOf("reader"), "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp"];
    const told: number[] = [];
    const flood = Array.from({ length: 60 }, () =>
      at
        .http("POST", "/api/identity/did/resolve", { as: null, body: { did: didOf("silent") } })
        .then(({ status, headers }) => told.push(headers.has("retry-after") ? status : -status)),
    );
    await eventually(
      () => told.length,
      (count) => count === 52,
    );
    expect(new Set(told)).toEqual(new Set([429]));
    expect((await resolve(peer)).didDocument.id).toBe(peer);
    served.delete("/silent/did.json");
    for (const res of silent.splice(0)) res.writeHead(404).end();
    await Promise.all(flood);
    expect(told.filter((status) => status === -200)).toHaveLength(8);
    expect(
      (await at.http("POST", "/api/identity/did/resolve", { as: other, body: { did: didOf("gone") } })).body.data
        .didResolutionMetadata.error,
    ).toBe("notFound");
  });
});

describe("did:web of ours", () => {
  const page = (path: string) => fetch(at.url + path);

  it("serves the platform's document at its well-known address", async () => {
    const { did, publicKeyJwk, verificationMethod } = await at.call("identity.platform", {}, mesh);
    expect(did).toBe("did:web:mesh.example%3A8443");
    const answer = await page("/.well-known/did.json");
    expect([
      answer.status,
      answer.headers.get("content-type"),
      answer.headers.get("access-control-allow-origin"),
    ]).toEqual([200, "application/did+json", "*"]);
    const served = (await answer.json()) as { id: string; assertionMethod: string[]; alsoKnownAs: string[] };
    expect(served).toEqual((await resolve(did)).didDocument);
    expect(served.assertionMethod).toEqual([verificationMethod]);
    // The did:key it is also known as is the same key.
    const byKey = (
      await at.http("GET", `/api/identity/resolve/${served.alsoKnownAs[0]}?publicKeyFormat=JsonWebKey`, { as: null })
    ).body.data.didDocument;
    expect(byKey.verificationMethod[0].publicKeyJwk).toEqual(publicKeyJwk);
  });

  it("serves an identity's document by its name until it is deactivated", async () => {
    const { did, didDocument } = (
      await at.http("POST", "/api/identity/did/create", {
        as: "analyst",
        body: { method: "web", webName: "watch-officer", keyType: "P-256" },
      })
    ).body.data;
    expect(did).toBe("did:web:mesh.example%3A8443:identities:watch-officer");
    const answer = await page("/identities/watch-officer/did.json");
    expect(await answer.json()).toEqual(didDocument);
    expect((await page("/identities/watch-officer/did.json?x=1")).status).toBe(200);
    expect(
      (
        await at.http("POST", "/api/identity/did/create", {
          as: "reader",
          body: { method: "web", webName: "watch-officer" },
        })
      ).status,
    ).toBe(409);
    expect(
      (await at.http("POST", "/api/identity/did/create", { as: "reader", body: { method: "web", webName: "../x" } }))
        .body.error.details[0].path,
    ).toBe("webName");
    expect((await page("/identities/nobody/did.json")).status).toBe(404);
    expect((await page("/identities/%2e%2e%2fx/did.json")).status).toBe(404);

    await at.http("POST", "/api/identity/did/deactivate", { as: "analyst", body: { did } });
    expect((await page("/identities/watch-officer/did.json")).status).toBe(410);
    expect(
      (
        await at.http("POST", "/api/identity/did/create", {
          as: "reader",
          body: { method: "web", webName: "watch-officer" },
        })
      ).status,
    ).toBe(409);
  });

  it("needs a public name", async () => {
    const nameless = await world();
    try {
      expect(
        (await nameless.http("POST", "/api/identity/did/create", { as: "analyst", body: { method: "web" } })).body.error
          .code,
      ).toBe("NOT_CONFIGURED");
      expect((await fetch(`${nameless.url}/.well-known/did.json`)).status).toBe(404);
      expect((await nameless.call("identity.platform", {}, mesh)).did).toMatch(/^did:key:z6Mk/);
    } finally {
      await nameless.stop();
    }
  });
});
