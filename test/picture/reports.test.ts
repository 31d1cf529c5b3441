import fc from "fast-check";
import { SaxesParser } from "saxes";
import type { Feature } from "../../core/geo/positions.ts";
import { isProblem } from "../../core/problem.ts";
import { atOnce } from "../../core/work/turns.ts";
import { cotOf } from "../../services/picture/cop/exports/cot.ts";
import { readDetail } from "../../services/picture/cop/reports/detail.ts";
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
        const [read] = readEvents(atOnce(cotOf("l", [feature], Date.parse(at)))).events;
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

  /** What a piece of XML says, read by a parser alone: the way it took left out. */
  function saidBy(xml: string): unknown[] {
    const said: unknown[] = [];
    let out = 0;
    const parser = new SaxesParser({ fragment: true });
    parser.on("opentag", ({ name, attributes }) => {
      if (out || name === "_flow-tags_") out++;
      else said.push(["opens", name, { ...attributes }]);
    });
    parser.on("text", (text) => {
      if (!out) said.push(typeof said.at(-1) === "string" ? `${said.pop()}${text}` : text);
    });
    parser.on("closetag", ({ name }) => (out ? out-- : said.push(["closes", name])));
    parser.write(xml).close();
    return said;
  }

  it("say again what they said, whatever their detail holds", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab &<>\"'\t\n\r]é") });
    const escaped = (given: string) => given.replace(/[&<>"'\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const attributes = fc.dictionary(fc.constantFrom("a", "b", "xml:c"), text, { maxKeys: 3 });
    const name = fc.constantFrom("event", "detail", "point", "contact", "remarks", "_flow-tags_");
    const { element } = fc.letrec<{ element: string }>((tie) => ({
      element: fc
        .tuple(
          name,
          attributes,
          fc.array(fc.oneof({ maxDepth: 4 }, text.map(escaped), tie("element")), { maxLength: 3 }),
        )
        .map(([tag, given, inside]) => {
          const all = Object.entries(given).map(([key, value]) => ` ${key}='${escaped(value)}'`);
          return `<${tag}${all.join("")}><!-- a word -->${inside.join("")}</${tag}>`;
        }),
    }));
    fc.assert(
      fc.property(fc.array(element, { maxLength: 3 }), (elements) => {
        const whole = elements.join("");
        const detail = String(readEvents(event({}, whole)).events[0]!["detail"] ?? "");
        expect(saidBy(detail)).toEqual(saidBy(whole));
        expect(readDetail(whole)).toMatchObject({ detail });
        expect(readDetail(detail)).toMatchObject({ detail });
      }),
      { numRuns: 100 },
    );
    const declared = `<events xmlns:x="urn:x">${event({}, "<x:a/>")}</events>`;
    expect(readEvents(declared).events[0]!["detail"]).toBe('<x:a xmlns:x="urn:x"></x:a>');
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

    const outside = await as(at, bob)("GET", "/api/cop/reports?outside=true");
    expect([outside.status, outside.body.data]).toEqual([200, []]);

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
      [2, "AHEAD", "time"],
      [3, "NEVER_HELD", "stale"],
      [4, "OTHER_TYPE", "type"],
      [5, "INVALID", "uid"],
    ]);
    expect(failed.every(({ message }: any) => message.length > 10)).toBe(true);
    expect((await send(`<!DOCTYPE x>${lines[0]}`)).body.error.message).toMatch(/line 1/);
    expect((await send("<events/>")).status).toBe(400);
    expect((await send(lines[0]!, { type: "image/png" })).status).toBe(415);
    expect((await send(lines[0]!, { who: cleo })).status).toBe(403);
    expect((await send(lines[0]!, { who: ann, compartments: "nowhere" })).status).toBe(404);
  });

  /** A live layer of reports that is on the COP. */
  async function putUp(): Promise<string> {
    const layer = { problemSetId: set, name: "Tracks", type: "units", kind: "live", spec: { source: "reports" } };
    const { id, version } = (await as(at, bob)("POST", "/api/cop/layers", layer)).body.data;
    const move = `/api/cop/layers/${id}/transition`;
    await as(at, bob)("POST", move, { to: "review" });
    await as(at, ann)("POST", move, { to: "published", version });
    expect((await as(at, ann)("POST", move, { to: "cop" })).status).toBe(200);
    await as(at, bob)("POST", "/api/cop/agents/polling/start", { problemSetId: set });
    at.clock.advance(3_600_000);
    return id;
  }
  const pictureOf = async (layerId: string, who: Person, when?: string): Promise<Record<string, number>> => {
    const query = `problemSetId=${set}${when ? `&at=${when}` : ""}`;
    const { layers } = (await as(at, who)("GET", `/api/cop/picture?${query}`)).body.data;
    return Object.fromEntries(
      layers
        .find(({ id }: any) => id === layerId)
        .featureCollection.features.map(({ properties, geometry }: any) => [properties.uid, geometry.coordinates[0]]),
    );
  };

  it("that come late find their place in the track, and move nothing back", async () => {
    const id = await putUp();
    const now = at.clock.now();
    const when = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
    const made = (uid: string, seconds: number, lon: number) =>
      event({ uid, time: when(seconds), start: when(seconds), stale: when(seconds + 900) }, "", { lon });
    const showsNow = (uid: string, lon: number) =>
      eventually(
        () => pictureOf(id, bob),
        (shown) => shown[uid] === lon,
      );
    await send(made("L-1", -600, 13));
    await showsNow("L-1", 13);
    await send(made("L-1", -100, 16));
    await showsNow("L-1", 16);
    // A radio that had no line sends what it kept: in one go, in no order, and once more.
    const kept = made("L-1", -200, 15) + made("L-1", -300, 14) + made("L-1", -100, 16);
    for (let times = 0; times < 2; times++)
      expect((await send(kept)).body.data).toEqual({ taken: 0, late: 3, removed: 0, failed: [] });
    const track = async (who: Person) =>
      Promise.all(
        [-650, -500, -250, -150, -50].map(async (seconds) => (await pictureOf(id, who, when(seconds)))["L-1"]),
      );
    expect(await track(cleo)).toEqual([undefined, 13, 14, 15, 16]);
    expect(await pictureOf(id, bob)).toMatchObject({ "L-1": 16 });
    expect((await list(bob)).find(({ uid }) => uid === "L-1").location.longitude).toBe(16);

    // One that comes in after a pause is shown from when it was made, not from when it came.
    expect((await send(made("L-1", -20, 17))).body.data.taken).toBe(1);
    await showsNow("L-1", 17);
    expect(await pictureOf(id, bob, when(-10))).toMatchObject({ "L-1": 17 });

    // What was taken away in between does not come back by what came late.
    const gone = { uid: "B", type: "t-x-d-d", time: when(-10), stale: when(9) };
    await send(event(gone, '<link uid="L-1"/>'));
    await showsNow("L-1", undefined as never);
    expect((await send(made("L-1", -15, 18))).body.data.late).toBe(1);
    expect(await pictureOf(id, bob, when(-12))).toMatchObject({ "L-1": 18 });
    expect(await pictureOf(id, bob)).not.toHaveProperty("L-1");

    // Word that something was gone in between comes late, in either order with where it was: the past has the gap.
    const goneAt = (uid: string, seconds: number) =>
      event({ uid: "B", type: "t-x-d-d", time: when(seconds), stale: when(seconds + 9) }, `<link uid="${uid}"/>`);
    for (const [uid, lon] of [
      ["G-1", 30],
      ["G-2", 40],
    ] as const) {
      await send(made(uid, -600, lon));
      await showsNow(uid, lon);
      await send(made(uid, -100, lon + 3));
      await showsNow(uid, lon + 3);
      const words = [goneAt(uid, -400), made(uid, -450, lon + 1), made(uid, -200, lon + 2), goneAt(uid, -150)];
      for (const word of uid === "G-1" ? words : [...words.toReversed(), words[0]!])
        expect((await send(word)).body.data).toEqual({ taken: 0, late: 1, removed: 0, failed: [] });
      const past = [-500, -425, -300, -175, -125, -50].map((seconds) => pictureOf(id, cleo, when(seconds)));
      expect((await Promise.all(past)).map((shown) => shown[uid])).toEqual(
        [lon, lon + 1, undefined, lon + 2, undefined, lon + 3], // gone twice
      );
      expect(await pictureOf(id, bob)).toMatchObject({ [uid]: lon + 3 });
      // The last of them was late as well, though nothing came after it: it was gone since, not since that was known.
      expect((await send(goneAt(uid, -90))).body.data).toEqual({ taken: 0, late: 0, removed: 1, failed: [] });
      await showsNow(uid, undefined as never);
      expect((await pictureOf(id, cleo, when(-95)))[uid]).toBe(lon + 3);
      expect((await pictureOf(id, cleo, when(-50)))[uid]).toBeUndefined();
      await send(made(uid, -5, lon + 4));
      await showsNow(uid, lon + 4);
      expect((await pictureOf(id, cleo, when(-50)))[uid]).toBeUndefined();
    }

    // Of what one does not see, nothing is told of the past either.
    for (const [seconds, lon] of [
      [-100, 20],
      [-200, 21],
    ])
      await send(made("H-1", seconds!, lon!), { compartments: red });
    expect(await pictureOf(id, cleo, when(-150))).not.toHaveProperty("H-1");
    await eventually(
      () => pictureOf(id, bob, when(-50)),
      (shown) => shown["H-1"] === 20,
    );
    expect(await pictureOf(id, bob, when(-150))).toMatchObject({ "H-1": 21 });
    await as(at, bob)("POST", "/api/cop/agents/polling/stop", { problemSetId: set });
  });

  it("go out as they came in, and are no others when they come back", async () => {
    const id = await putUp();
    const uid = "Out-1";
    const times = { time: iso(-10), start: iso(-30), stale: iso(600) };
    const detail =
      '<contact callsign="Röd &quot;1&quot;"></contact><__x v="1&#10;2"><y>a &lt; b</y>c</__x><remarks>1 &amp; 2</remarks>';
    const point = { hae: 80.5, ce: 12, le: 3 };
    const attributes = { access: "Undefined", qos: "7-r-g", opex: "e-Exercise&#10;1", caveat: "&quot;", "x-1": "" };
    const given = event(
      { uid, type: "a-f-G-U-C-I-e-x", how: "h-e", ...times, ...attributes },
      `${detail}<_flow-tags_ a="b"/>`,
      point,
    );
    const [said] = readEvents(given).events;
    expect(said!["attributes"]).toEqual({ ...attributes, opex: "e-Exercise\n1", caveat: '"' });
    await send(given);
    const exported = async () => (await as(at, cleo)("GET", `/api/cop/layers/${id}/cot`)).text;
    const out = await eventually(exported, (xml) => xml.includes(uid));
    expect(readEvents(out).events.find((one) => one["uid"] === uid)).toEqual(said);
    expect(out).not.toContain("_flow-tags_");
    expect((await send(out)).body.data).toMatchObject({ taken: 0, failed: [] });

    const same = {
      uid: "Out-2",
      type: "a-f-G",
      time: iso(-1),
      stale: iso(60),
      location: { latitude: 1, longitude: 2 },
    };
    const json = (more: object) =>
      send(JSON.stringify({ events: [{ ...same, ...more }] }), { type: "application/json" });
    for (const wrong of ["<a>", "</detail><x/>", "<!DOCTYPE a><a/>", "&b;", "<a>".repeat(21) + "</a>".repeat(21)])
      expect((await json({ detail: wrong })).body.data.failed).toMatchObject([{ code: "INVALID", path: "detail" }]);
    expect((await json({ detail: `<a b='${"c".repeat(9_000)}'/>` })).body.data.failed).toMatchObject([
      { path: "detail" },
    ]);
    for (const wrong of [{ uid: "x" }, { "a b": "x" }, { "x:y": "z" }, { qos: 1 }])
      expect((await json({ attributes: wrong })).body.data.failed).toMatchObject([{ code: "INVALID" }]);
    expect((await json({ attributes: { qos: "x".repeat(501) } })).body.data.failed).toMatchObject([
      { code: "INVALID", path: "attributes.qos" },
    ]);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a${n}`, "x"]));
    expect((await json({ attributes: many })).body.data.failed).toMatchObject([{ path: "attributes" }]);
    await json({ detail: "<a b='&#34;'/><_flow-tags_/>" });
    expect((await list(bob)).find((one) => one.uid === "Out-2").detail).toBe('<a b="&quot;"></a>');
    await as(at, bob)("POST", "/api/cop/agents/polling/stop", { problemSetId: set });
  });
});
