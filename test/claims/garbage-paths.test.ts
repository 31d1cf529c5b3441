import { Agent, request } from "node:http";
import type { PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { inFlight } from "../in-flight.ts";
import { filled, routes } from "../routes.ts";
import { someFor } from "../tries.ts";
import { world, type TestWorld } from "../mesh.ts";

// Claim 9: whatever stands where an address wants an id is the client's mistake, said with a 4xx.

/** As they stand on the wire; no client may tidy them up first. */
const GARBAGE = [
  "%00",
  "1%00",
  "%ff%fe",
  "%E0%A4%A",
  "%F0%9F%92%A5",
  "%E2%80%AE%EF%B7%BD",
  "e%CC%81".repeat(50),
  "..%2f..%2fetc%2fpasswd",
  "%2e%2e%2f",
  "..%5c..%5c",
  "%2525",
  "a".repeat(6_000),
  "%F0%9F%92%A5".repeat(500),
  "9".repeat(400),
  "-1",
  "0",
  "1e309",
  "NaN",
  "1.5",
  "0x10",
  "%20",
  "%09%0d%0a",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "%7B%22%24ne%22%3A1%7D",
  "[object%20Object]",
  "'%20OR%201=1--",
  "*",
  "$where",
  "a;b",
  "a:b:c",
  "did:key:",
  "did:web:%00",
  "did:pkh:eip155:1:0x00",
  "undefined",
  "null",
  "true",
];

/** Garbage that each parameter meets. */
const EACH = 10;

/** A resolver's errors are answers: 200 with the standard's resolution result, the error's name in its metadata. */
const RESOLVES = "GET /api/identity/resolve/:did";
/** A channel comes to be by its first subscriber, under any name that is one: some of these are. */
const NAMES = "POST /api/messages/channels/:channel/subscribe";
/** Takes any text for words to look for: most of it finds nothing. */
const SEARCHES = "GET /api/graph/actors/search/:query";

const agent = new Agent({ keepAlive: true });
let at: TestWorld;
let endpoints: PublishedEndpoint[];
beforeAll(async () => {
  at = await world();
  endpoints = await routes();
});
afterAll(async () => {
  agent.destroy();
  await at.stop();
});

/** Speaks the path to the letter: `fetch` would resolve dots and escape what is not escaped. */
const asked = (method: string, path: string, token: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(at.url);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(method !== "GET" && { "content-type": "application/json", "content-length": 2 }),
    };
    const sent = request({ hostname, port, path, method, headers, agent }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    sent.on("error", reject);
    sent.end(method === "GET" ? undefined : "{}");
  });

it("garbage in any parameter of any address is answered 4xx", async () => {
  const token = await at.tokenOf("system_admin");
  const passed: string[] = [];
  const tries = endpoints
    .filter(({ method, path }) => ![RESOLVES, NAMES].includes(`${method} ${path}`))
    .flatMap(({ method, path }) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ method, path, name: name! })))
    .flatMap((place, nth) => someFor(GARBAGE, nth, EACH).map((garbage) => ({ ...place, garbage })));
  await inFlight(tries, async ({ method, path, name, garbage }) => {
    const status = await asked(method, filled(path.replace(`:${name}`, garbage.replaceAll("$", "$$$$"))), token);
    const isAnswered = status < 400 && `${method} ${path}` !== SEARCHES;
    if (isAnswered || status >= 500) passed.push(`${method} ${path} with ${name}=${garbage.slice(0, 40)}: ${status}`);
  });
  expect(passed).toEqual([]);
}, 180_000);

it("white space alone where an address wants an id is 400, and the parameter is named", async () => {
  const as = await at.tokenOf("system_admin");
  const wrong: string[] = [];
  const places = endpoints
    // A form is asked for before anything is read of the address.
    .filter(({ method, path, contract }) => `${method} ${path}` !== RESOLVES && !contract.upload)
    .flatMap(({ method, path, contract: { on, by = "id" } }) => {
      // The record that is loaded comes first; what else is blank beside one that is not there, nobody sees.
      const name = on ? by : /:(\w+)/.exec(path)?.[1];
      return name ? [{ method, path, name }] : [];
    });
  await inFlight(places, async ({ method, path, name }) => {
    const { status, body } = await at.http(method, filled(path.replace(`:${name}`, "%20%E3%80%80")), {
      as,
      ...(method !== "GET" && { body: {} }),
    });
    const named = (body?.error?.details ?? body?.details)?.some((one: { path: string }) => one.path === name);
    if (status !== 400 || !named)
      wrong.push(`${method} ${path} with a blank ${name}: ${status} ${JSON.stringify(body)}`);
  });
  expect(wrong).toEqual([]);
}, 180_000);
