import fc from "fast-check";
import type { Feature } from "../../core/geo/positions.ts";
import { isProblem } from "../../core/problem.ts";
import { cotOf } from "../../services/picture/cop/exports/cot.ts";
import { readEvents, symbolOfType } from "../../services/picture/cop/reports/cot.ts";
import { symbolTables } from "../../services/picture/cop/symbols/tables.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { as, openCompartment, openStaffedSet, persons, type Person } from "../workspace/people.ts";

const event = (fields: object = {}, inside = "", point: object = {}) => {
  const write = (name: string, given: object, content = "") =>
    `<${name}${Object.entries(given)
      .map(([key, value]) => ` ${key}="${value}"`)
      .join("")}>${content}</${name}>`;
  const all = { version: "2.0", uid: "A-7", type: "a-f-G-U-C-I", how: "m-g", start: "2026-01-01T12:00:00Z" };
  const place = { lat: 52, lon: 13, hae: 9999999, ce: 12, le: 9999999, ...point };
  const when = { time: "2026-01-01T12:00:00Z", stale: "2026-01-01T12:05:00Z" };
  return write("event", { ...all, ...when, ...fields }, write("point", place) + write("detail", {}, inside));
};
const refusal = (text: string): unknown => {
  try {
    return readEvents(text);
  } catch (error) {
    if (!isProblem(error)) throw error;
    return error.code;
  }
};

describe("events of Cursor on Target", () => {
  it("are read alone, one after the other and in one element; what nobody knows is not there", () => {
    const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
    const way = '<_flow-tags_ hop="1"><x/></_flow-tags_>';
    const one = event({}, `<contact callsign="Alpha &amp; 7"/><takv os="33"><a>1 &lt; 2</a></takv>${way}`);
    const read = {
      ...{ uid: "A-7", type: "a-f-G-U-C-I", how: "m-g", name: "Alpha & 7" },
      ...{ time: "2026-01-01T12:00:00Z", start: "2026-01-01T12:00:00Z", stale: "2026-01-01T12:05:00Z" },
      location: { latitude: 52, longitude: 13, accuracy: 12 },
      detail: '<contact callsign="Alpha &amp; 7"></contact><takv os="33"><a>1 &lt; 2</a></takv>',
    };
    expect(readEvents(xml + one)).toEqual({ events: [read] });
    expect(readEvents(one + one)).toEqual({ events: [read, read] });
    expect(readEvents(`${xml}<events>${one}\n${one}</events>`)).toEqual({ events: [read, read] });
    const removal = event({ type: "t-x-d-d" }, '<link uid="B-2" relation="p-p"/>');
    expect(readEvents(removal).events[0]).toMatchObject({ type: "t-x-d-d", removes: "B-2" });
  });

  it.each([
    ["an entity of its own", `<!DOCTYPE event [<!ENTITY a "aaaa">]>${event({ uid: "&a;" })}`, 400],
    ["an entity from elsewhere", `<!DOCTYPE event SYSTEM "file:///etc/passwd">${event()}`, 400],
    ["an entity that nobody declared", event({ uid: "&laugh;" }), 400],
    ["great depth", event({}, "<a>".repeat(50_000)), 400],
    ["very many attributes", `<event ${Array.from({ length: 500 }, (_none, at) => `a${at}="1"`).join(" ")}/>`, 400],
    ["another element", "<html><body/></html>", 400],
    ["an end that does not come", event().slice(0, -3), 400],
    ["more events than one body may have", event().repeat(1_001), 413],
    ["no events at all", " ", { events: [] }],
  ])("are refused for %s", (_what, text, outcome) => {
    expect(refusal(text)).toEqual(outcome);
  });

  it("never do harm, whatever is cut out of them or put between", () => {
    const whole = `<events>${event({}, "<a b='c'>d</a>")}${event({ type: "t-x-d-d" }, '<link uid="x"/>')}</events>`;
    const strange = fc.constantFrom(
      "<",
      ">",
      "&",
      '"',
      "<![CDATA[",
      "]]>",
      "<!--",
      "</event>",
      "<?x",
      "\u0000",
      "&#0;",
    );
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(30), fc.oneof(strange, fc.string()), (at, cut, put) => {
        const found = refusal(whole.slice(0, at) + put + whole.slice(at + cut));
        expect([400, "events"]).toContain(typeof found === "number" ? found : Object.keys(found as object)[0]);
      }),
      { numRuns: 150 },
    );
  });

  it("that a layer is exported as are read as what it shows", () => {
    const instant = fc.integer({ min: 1.6e12, max: 1.9e12 }).map((at) => new Date(at).toISOString());
    const shown = fc.record({
      name: fc.string({ minLength: 1, maxLength: 40 }).filter((name) => /^[\u0020-\ud7ff]+$/.test(name)),
      at: instant,
      staleAt: instant,
      ce: fc.option(fc.integer({ min: 0, max: 9_000 }), { nil: undefined }),
      symbol: fc.constantFrom("SFGPUCI--------", "SHAPMF---------", "SNSPXM---------"),
    });
    const position = fc.tuple(fc.integer({ min: -179, max: 179 }), fc.integer({ min: -89, max: 89 }));
    fc.assert(
      fc.property(shown, position, (properties, coordinates) => {
        const feature: Feature = { type: "Feature", id: "f", geometry: { type: "Point", coordinates }, properties };
        const { name, at, staleAt, ce } = properties;
        const [read] = readEvents(cotOf("l", [feature], Date.parse(at))).events;
        expect(read).toMatchObject({
          ...{ uid: "l.f", start: at, stale: staleAt, name },
          location: {
            longitude: coordinates[0],
            latitude: coordinates[1],
            ...(ce !== undefined && { accuracy: ce }),
          },
        });
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["a-f-G-U-C-I", "SFGPUCI--------"],
    ["a-h-A-M-F", "SHAPMF---------"],
    ["a-.-G-U-C-I", "SUGPUCI--------"],
    ["a-n-G-U-C-Q-Q-Q", "SNGPUC---------"],
    ["a-f-G-U-C-I-d-x", "SFGPUCI--------"],
    ["a-f-Y", undefined],
    ["b-m-p-s-m", undefined],
  ])("of type %s have the symbol %s", async (type, symbol) => {
    expect(symbolOfType(type, await symbolTables())).toBe(symbol);
  });
});

describe("reports", () => {
  let at: TestWorld;
  let ann: Person, bob: Person, cleo: Person;
  let set: string, red: string;
  beforeAll(async () => {
    at = await world();
    [ann, bob, cleo] = await persons(at, "ann", "bob", "cleo");
    set = await openStaffedSet(at, ann, { planner: bob, observer: cleo });
    red = await openCompartment(at, set, ann, "Red", bob);
  }, 120_000);
  afterAll(() => at?.stop());

  const iso = (seconds: number) => new Date(at.clock.now() + seconds * 1_000).toISOString();
  const send = (raw: string, { who = bob, type = "application/xml", compartments = "" } = {}) =>
    at.http("POST", `/api/cop/reports?problemSetId=${set}${compartments && `&compartments=${compartments}`}`, {
      ...{ as: who.token, raw, type },
    });
  const list = async (who: Person): Promise<any[]> =>
    (await as(at, who)("GET", `/api/cop/reports?problemSetId=${set}&limit=100`)).body.data;
  const timed = (uid: string, seconds: number, lon: number, fields: object = {}) =>
    event({ uid, time: iso(seconds), start: iso(seconds), stale: iso(seconds + 600), ...fields }, "", { lon });

  it("come as XML and as JSON; the last one by when it was made is shown, until it is taken away", async () => {
    const taken = { taken: 1, late: 0, removed: 0, failed: [] };
    expect((await send(timed("A-1", -60, 13))).body.data).toEqual(taken);
    expect((await send(timed("A-1", -90, 12))).body.data).toEqual({ ...taken, taken: 0, late: 1 });
    expect((await send(timed("A-1", -20, 15) + timed("A-1", -30, 14))).body.data).toEqual({ ...taken, late: 1 });
    const same = { uid: "A-2", type: "a-h-G", time: iso(-10), stale: iso(60), location: { latitude: 1, longitude: 2 } };
    expect((await send(JSON.stringify({ events: [same] }), { type: "application/json" })).body.data).toEqual(taken);
    expect(await list(bob)).toMatchObject([
      { uid: "A-2", symbol: "SHGP-----------", gone: false },
      { uid: "A-1", symbol: "SFGPUCI--------", location: { longitude: 15, latitude: 52, accuracy: 12 } },
    ]);

    const layer = { problemSetId: set, name: "Reports", type: "units", kind: "live", spec: { source: "reports" } };
    const { id } = (await as(at, bob)("POST", "/api/cop/layers", layer)).body.data;
    await as(at, bob)("POST", `/api/cop/layers/${id}/transition`, { to: "review" });
    await as(at, bob)("POST", "/api/cop/agents/polling/start", { problemSetId: set });
    const shown = async (who: Person): Promise<any> =>
      (await as(at, who)("GET", `/api/cop/layers/${id}`)).body.data.featureCollection.features
        .map(({ properties, geometry }: any) => `${properties.uid} ${geometry.coordinates[0]}`)
        .sort();
    await eventually(
      () => shown(cleo),
      (all) => String(all) === "A-1 15,A-2 2",
    );
    await send(timed("A-1", -5, 16));
    await send(timed("Hidden", -5, 17), { compartments: red });
    await eventually(
      () => shown(bob),
      (all) => String(all) === "A-1 16,A-2 2,Hidden 17",
    );
    expect(await shown(cleo)).toEqual(["A-1 16", "A-2 2"]);
    expect((await list(cleo)).map(({ uid }) => uid)).not.toContain("Hidden");

    const removal = (uid: string) =>
      event({ uid: "B", type: "t-x-d-d", time: iso(-1), stale: iso(9) }, `<link uid="${uid}"/>`);
    expect((await send(removal("A-1"))).body.data).toEqual({ ...taken, taken: 0, removed: 1 });
    // Of what one does not see, and of what there is not, nothing is told.
    const unknown = await send(removal("Hidden"));
    expect(unknown.body.data).toEqual((await send(removal("Nobody"))).body.data);
    await eventually(
      () => shown(bob),
      (all) => String(all) === "A-2 2,Hidden 17",
    );
    await as(at, bob)("POST", "/api/cop/agents/polling/stop", { problemSetId: set });
  });

  it("are refused one by one, and the good ones stay; nothing lies where its sender does not see", async () => {
    const lines = [
      timed("C-1", 0, 13),
      timed("C-2", 0, 913),
      timed("C-3", 900, 13),
      timed("C-4", 0, 13, { stale: iso(-1) }),
      timed("C-5", 0, 13, { type: "t-x-c-t" }),
      event({ uid: "", time: iso(0), stale: iso(9) }),
    ];
    const { taken, failed } = (await send(lines.join(""))).body.data;
    expect(taken).toBe(1);
    expect(failed.map(({ index, code, path }: any) => [index, code, path])).toEqual([
      [1, "INVALID", "location.longitude"],
      [2, "AHEAD", undefined],
      [3, "NEVER_HELD", undefined],
      [4, "OTHER_TYPE", undefined],
      [5, "INVALID", "uid"],
    ]);
    expect((await send(`<!DOCTYPE x>${lines[0]}`)).body.error.message).toMatch(/line 1/);
    expect((await send("<events/>")).status).toBe(400);
    expect((await send(lines[0]!, { type: "image/png" })).status).toBe(415);
    expect((await send(lines[0]!, { who: cleo })).status).toBe(403);
    expect((await send(lines[0]!, { who: ann, compartments: "nowhere" })).status).toBe(404);
  });
});
