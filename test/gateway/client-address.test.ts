import type { IncomingMessage } from "node:http";
import { BadSettings, readEnv } from "../../config/env.ts";
import { clientAddress } from "../../services/gateway/http/client-address.ts";
import { world } from "../mesh.ts";

const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;
const PROXIES = ["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"];

it.each([
  ["nobody trusted: the peer, whatever the header says", [], "127.0.0.1", "203.0.113.7", "127.0.0.1"],
  ["a peer that is no proxy of ours cannot speak for others", PROXIES, "198.51.100.9", "203.0.113.7", "198.51.100.9"],
  ["one proxy", PROXIES, "127.0.0.1", "203.0.113.7", "203.0.113.7"],
  [
    "what the client wrote itself stands to the left",
    PROXIES,
    "127.0.0.1",
    "1.1.1.1, 10.0.0.1, 203.0.113.7",
    "203.0.113.7",
  ],
  ["a chain of proxies", PROXIES, "10.1.2.3", "1.1.1.1, 203.0.113.7, 10.9.9.9,10.0.0.2", "203.0.113.7"],
  ["all of them ours: the leftmost", PROXIES, "10.1.2.3", "10.0.0.9, 10.0.0.2", "10.0.0.9"],
  ["no header", PROXIES, "127.0.0.1", undefined, "127.0.0.1"],
  ["IPv4 in IPv6 is IPv4", PROXIES, "::ffff:127.0.0.1", "::ffff:203.0.113.7", "203.0.113.7"],
  ["IPv6, in one of its ways of writing", PROXIES, "fd00::7", "2001:DB8:0:0::1", "2001:db8::1"],
  ["with a port", PROXIES, "127.0.0.1", "203.0.113.7:4711", "203.0.113.7"],
  ["no address: one with a zone, of whatever length", PROXIES, "::1", `fe80::1%${"z".repeat(99)}`, "::1"],
  ["IPv6 with a port", PROXIES, "::1", "[2001:db8::1]:4711", "2001:db8::1"],
  [
    "what is no address ends the way at the last that is known",
    PROXIES,
    "127.0.0.1",
    "203.0.113.7, unknown, 10.0.0.2",
    "10.0.0.2",
  ],
  ["an empty header", PROXIES, "127.0.0.1", "", "127.0.0.1"],
  ["number forms are no addresses", PROXIES, "127.0.0.1", "0x7f000001", "127.0.0.1"],
])("%s", (_name, proxies, peer, forwarded, expected) => {
  expect(clientAddress(proxies)(from(peer, forwarded))).toBe(expected);
});

it("refuses proxies that are no addresses", () => {
  expect(() => readEnv({ TRUSTED_PROXIES: "10.0.0.0/8, gateway.internal" })).toThrow(BadSettings);
  expect(() => readEnv({ TRUSTED_PROXIES: "10.0.0.0/33" })).toThrow(/TRUSTED_PROXIES: must be addresses or networks/);
  expect(readEnv({ TRUSTED_PROXIES: "10.0.0.0/8,::1" }).TRUSTED_PROXIES).toEqual(["10.0.0.0/8", "::1"]);
});

describe.each([
  ["a trusted peer", "127.0.0.0/8"],
  ["a peer that is not trusted", "192.0.2.1"],
])("behind %s", (name, proxies) => {
  it("limits go by the client's address, not by what anybody claims", async () => {
    const at = await world({ TRUSTED_PROXIES: proxies, RATE_LIMIT_TIER: "production" });
    try {
      const trusted = name === "a trusted peer";
      const count = async (client: string) =>
        Number(
          (
            await at.http("POST", "/api/auth/login", {
              as: null,
              body: { email: "nobody@example.org", password: "x".repeat(12) },
              headers: { "x-forwarded-for": client },
            })
          ).headers.get("x-ratelimit-remaining"),
        );
      const first = await count("1.1.1.1, 203.0.113.7");
      expect(await count("2.2.2.2, 203.0.113.7")).toBe(first - 1);
      const forged = async () =>
        Number(
          (
            await at.http("GET", "/api/articles/stats", {
              as: "not.a.token",
              headers: { "x-forwarded-for": "203.0.113.7" },
            })
          ).headers.get("x-ratelimit-remaining"),
        );
      expect(await forged()).toBe(first - 2);
      expect(await count("203.0.113.8")).toBe(trusted ? first : first - 3);
    } finally {
      await at.stop();
    }
  });
});
