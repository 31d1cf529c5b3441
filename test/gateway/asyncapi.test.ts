import { Parser } from "@asyncapi/parser";
import { asyncapiInSteps, liveTypes } from "../../core/contract/documents/asyncapi.ts";
import { published } from "../../core/contract/catalogue.ts";
import { allServices } from "../../services/index.ts";
import { eventually, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { connect } from "./live-setup.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world({ PUBLIC_URL: "https://mesh.example" });
});
afterAll(() => at.stop());
const described = async (): Promise<any> => (await at.http("GET", "/api/asyncapi.json", { as: null })).body;

it("is an AsyncAPI 3 document by the judgement of the initiative's own parser", async () => {
  const { document, diagnostics } = await new Parser().parse(JSON.stringify(await described()));
  expect(
    diagnostics.filter(({ severity }) => severity <= 1).map(({ message, path }) => `${path.join(".")}: ${message}`),
  ).toEqual([]);
  expect(document!.version()).toBe("3.0.0");
  expect(
    document!
      .servers()
      .all()
      .map((server) => `${server.protocol()} ${server.host()}`),
  ).toEqual(["wss mesh.example", "https mesh.example"]);
});

it("is made in steps, of one event or stream each, so that others have the loop in between", async () => {
  const services = (await allServices()).map(({ service }) => service);
  const making = asyncapiInSteps(services, { version: "1", url: "https://mesh.example" });
  let steps = 0;
  let made = making.next();
  for (; !made.done; made = making.next()) steps++;
  const streams = Object.keys((made.value as { channels: object }).channels).filter((name) => name !== "live");
  expect(streams.length).toBeGreaterThan(0);
  expect(steps).toBe(liveTypes(services).length + streams.length);
});

it("holds every live event and every stream that the services declare, and nothing else", async () => {
  const services = (await allServices()).map(({ service }) => service);
  const { channels, operations } = await described();
  const events = Object.values<any>(channels.live.messages)
    .filter((message) => message["x-permit"])
    .map(({ name }) => name);
  expect(events.sort()).toEqual(
    liveTypes(services)
      .map(({ name }) => name)
      .sort(),
  );
  expect(events).toEqual(expect.arrayContaining(["briefing.completed", "job.changed"]));
  const streams = services
    .flatMap((service) => [...published(service)])
    .filter(({ contract }) => contract.returns.events)
    .map(({ path }) => path.replace(/:(\w+)/g, "{$1}"));
  expect(
    Object.values<any>(channels)
      .map(({ address }) => address)
      .filter((address) => address !== "/live")
      .sort(),
  ).toEqual(streams.sort());
  expect(streams).toContain("/api/jobs/{id}/events");
  expect(channels["live"].messages["message.published"]["x-topics"]).toEqual(["messages"]);
  expect(JSON.stringify(channels["live"].messages["subscribe"].payload)).toContain(
    '"enum":["agents","articles","briefings","cop","credentials","discovery","edge-sync","messages","resources",' +
      '"sensors","telemetry"]',
  );
  expect(operations["receive.subscribe"].reply.messages).toEqual([
    { $ref: "#/channels/live/messages/acknowledgement" },
  ]);
});

it("lists the topics that a socket may ask for, and whoever asks for another is told these in words", async () => {
  const { anyOf } = (await described()).channels.live.messages["subscribe"].payload;
  const listed: string[] = anyOf.flatMap(({ properties: { topic } }: any) => topic?.enum ?? []);
  const client = await connect(at.url, { auth: { token: await at.tokenOf("analyst") } });
  for (const topic of listed) expect(await client.subscribe({ topic })).toEqual({ ok: true });
  const message = `There is no such topic; there is ${listed.join(", ")}.`;
  for (const topic of ["weather", "Briefings", "constructor"])
    expect(await client.subscribe({ topic })).toEqual({
      ok: false,
      error: { code: "VALIDATION_ERROR", message: expect.any(String), details: [{ path: "topic", message }] },
    });
  client.socket.close();
});

it("is kept: what a socket is told fits its schema", async () => {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const document = await described();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "async", ...document });
  const email = "told@example.org";
  await at.http("POST", "/api/auth/users", { body: { email, role: "analyst", password: PASSWORD } });
  const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body
    .data;
  const client = await connect(at.url, { auth: { token } });
  expect(await client.subscribe({ topic: "briefings" })).toEqual({ ok: true });
  await at.http("POST", "/api/briefings/generate", { as: token, body: {} });
  await eventually(
    () => client.told.map(({ event }) => event),
    (names) =>
      names.includes("briefing.completed") && client.of("job.changed").some(({ data }) => data.status === "completed"),
  );
  for (const { event, body } of client.told) {
    const validate = ajv.compile({ $ref: `async#/channels/live/messages/${event}/payload` });
    expect([event, validate(body), validate.errors]).toEqual([event, true, null]);
  }
  client.socket.close();
});
