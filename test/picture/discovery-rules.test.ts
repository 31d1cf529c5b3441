import fc from "fast-check";
import { isGlobal, macOf } from "../../adapters/discovery/hardware-address.ts";
import { vendorOf } from "../../adapters/discovery/vendors.ts";
import {
  matcher,
  valueFor,
  type By,
  type Matched,
  type Rule,
} from "../../services/picture/discovery/access-list/matching.ts";
import { contradicts, identitiesOf, strongest } from "../../services/picture/discovery/devices/identities.ts";
import { seenAgain, deviceState } from "../../services/picture/discovery/devices/devices.ts";
import { consentId } from "../../services/picture/discovery/consents/consents.ts";
import {
  BANDS,
  meanDbm,
  occupancyOf,
  summaries,
  type MeasuredEmission,
} from "../../services/picture/discovery/em/bands.ts";
import {
  consentHolds,
  MOVES,
  scannerAfter,
  SCANNER_STATES,
  type MoveName,
} from "../../services/picture/discovery/scanner/scanner.ts";
import { probeAt } from "../../services/picture/discovery/scanner/scanning.ts";
import { listed, pinned } from "../../services/picture/discovery/targets/aims.ts";
import { topologyOf, type KnownDevice } from "../../services/picture/discovery/topology/graph.ts";
import { shortestPath } from "../../services/picture/discovery/topology/paths.ts";

describe("the access list", () => {
  // Few values, so that rules and devices meet.
  const octet = fc.integer({ min: 0, max: 3 });
  const address = fc.tuple(octet, octet).map(([one, other]) => `10.0.${one}.${other}`);
  const mac = fc.tuple(octet, octet).map(([one, other]) => `00:1b:c5:0${one}:0${other}:01`);
  const text = fc.constantFrom("gate", "pump", "Boiler");
  const did = fc.constantFrom("did:key:z1", "did:key:z2");
  const said = fc.oneof(
    mac.map((value) => ["mac", value] as const),
    fc
      .tuple(mac, fc.constantFrom(6, 7, 9))
      .map(([value, digits]) => ["oui", value.replaceAll(":", "").slice(0, digits)] as const),
    address.map((value) => ["ip", value] as const),
    fc.tuple(address, fc.integer({ min: 22, max: 32 })).map(([value, bits]) => ["cidr", `${value}/${bits}`] as const),
    fc
      .tuple(address, address)
      .map((ends) => ["range", [...ends].sort((a, b) => number(a) - number(b)).join("-")] as const),
    did.map((value) => ["did", value] as const),
    text.map((value) => ["name", value.toUpperCase()] as const),
  );
  const rule = fc
    .tuple(said, fc.constantFrom("allow" as const, "block" as const), fc.boolean())
    .map(([[by, value], kind, emergency]): Rule => ({
      kind,
      by,
      value: valueFor(by, value)!,
      emergency: emergency && kind === "block",
    }));
  const device: fc.Arbitrary<Matched> = fc.record({
    macs: fc.array(mac, { maxLength: 2 }),
    addresses: fc.array(address, { maxLength: 2 }),
    did: fc.option(did, { nil: undefined }),
    name: fc.option(text, { nil: undefined }),
    identities: fc.constant([]),
  });
  const number = (dotted: string): number => dotted.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

  /** One rule against one device, in as many words as the sheet has. */
  function plainly({ by, value }: Rule, { macs, addresses, did: own, name }: Matched): boolean {
    if (by === "did") return own === value;
    if (by === "name") return name?.toLowerCase() === value;
    if (by === "mac") return macs.includes(value);
    if (by === "oui") return macs.some((one) => one.replaceAll(":", "").startsWith(value));
    const [from, to] =
      by === "range" ? value.split("-").map(number) : [number(value.split("/")[0]!), number(value.split("/")[0]!)];
    const size = by === "cidr" ? 2 ** (32 - Number(value.split("/")[1])) : 1;
    return addresses.some((one) => number(one) >= from! && number(one) < to! + size);
  }

  it("decides as a plain reading of it does: any block wins, then any allow", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), device, (rules, one) => {
        const fit = rules.filter((each) => plainly(each, one));
        const wanted = fit.some(({ emergency }) => emergency)
          ? "disconnected"
          : fit.some(({ kind }) => kind === "block")
            ? "blocked"
            : fit.length
              ? "allowed"
              : "undecided";
        expect(matcher(rules)(one)).toBe(wanted);
      }),
      { numRuns: 500 },
    );
  });

  it("reads values in one form, and refuses what is none", () => {
    const forms: [By, string, string | undefined][] = [
      ["mac", "00-1B-C5-00-00-01", "00:1b:c5:00:00:01"],
      ["mac", "00:1B-C5-00-00-01", undefined],
      ["oui", "00:1B:C5", "001bc5"],
      ["oui", "001BC", undefined],
      ["ip", "::ffff:10.0.0.1", "10.0.0.1"],
      ["ip", "010.0.0.1", undefined],
      ["ip", "10.1", undefined],
      ["cidr", "10.1.2.3/16", "10.1.0.0/16"],
      ["cidr", "10.1.2.3/33", undefined],
      ["cidr", "::ffff:10.0.0.0/104", undefined],
      ["range", "10.0.0.9-10.0.0.1", undefined],
      ["range", "10.0.0.1 - fd00::1", undefined],
      ["did", "did:x y", undefined],
      ["name", "  Gate\u202e  7 ", "gate 7"],
    ];
    for (const [by, given, wanted] of forms) expect([by, given, valueFor(by, given)]).toEqual([by, given, wanted]);
  });
});

describe("an identity", () => {
  const sighting = { transport: "mdns" as const, macs: [], instances: [], addresses: [], services: [] };

  it("is never an address, a random hardware address or a serial number that all have", () => {
    expect(identitiesOf({ ...sighting, macs: ["02:00:00:00:00:01", "01:00:5e:00:00:01"], serial: "00000000" })).toEqual(
      [],
    );
    expect([isGlobal("00:1b:c5:00:00:01"), isGlobal("da:a1:19:00:00:01")]).toEqual([true, false]);
    expect(macOf("001b.c500.0001")).toBe("00:1b:c5:00:00:01");
  });

  it("is the strongest there is, and denied by what is stronger and differs", () => {
    const one = identitiesOf({ ...sighting, name: "Gate", macs: ["00:1b:c5:00:00:01"], serial: "SN-77-1" });
    expect(strongest([...one].reverse())).toEqual({ kind: "serial", value: "sn-77-1" });
    const other = identitiesOf({ ...sighting, name: "gate", macs: ["00:1b:c5:00:00:02"] });
    expect(contradicts(one, other, "name")).toBe(true);
    expect(contradicts(one, identitiesOf({ ...sighting, name: "gate" }), "name")).toBe(false);
  });

  it("tells the vendor by nine, then seven, then six digits", () => {
    expect(vendorOf("00:1b:c5:00:00:01")).toBe("Converging Systems Inc.");
    expect(vendorOf("00:00:00:12:34:56")).toBe("XEROX CORPORATION");
    expect(vendorOf("00:1b:1b:00:00:01")).toBe("Siemens AG");
    expect(vendorOf("fe:ff:ff:00:00:00")).toBeUndefined();
  });

  it("keeps what is known bounded, and is lost after three intervals and ten minutes at least", () => {
    let known: ReturnType<typeof seenAgain> | undefined;
    for (let n = 0; n < 100; n++) {
      const look = { ...sighting, name: `n${n}`, addresses: [`10.0.0.${n}`], services: [{ type: "tcp", port: n + 1 }] };
      known = seenAgain(known, look, { at: new Date(n * 1_000).toISOString(), everySeconds: 30 });
    }
    const { identities, addresses, services, lastSeenAt } = known!;
    expect([identities.length, addresses.length, services.length]).toEqual([32, 32, 64]);
    const last = Date.parse(lastSeenAt);
    expect(deviceState(known!, "allowed", last + 599_000)).toBe("allowed");
    expect(deviceState(known!, "allowed", last + 600_000)).toBe("lost");
    expect(deviceState({ ...known!, everySeconds: 1_000 }, "blocked", last + 2_999_000)).toBe("blocked");
  });
});

describe("the scanner", () => {
  it("moves as its table says, and by nothing else", () => {
    const names = Object.keys(MOVES) as MoveName[];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...names), { maxLength: 30 }), (moves) => {
        let state: (typeof SCANNER_STATES)[number] = "stopped";
        for (const move of moves) {
          const wanted = {
            stopped: { start: "running" },
            running: { pause: "paused", stop: "stopped" },
            paused: { resume: "running", stop: "stopped" },
          }[state] as Record<string, typeof state>;
          if (wanted[move]) expect((state = scannerAfter(state, move))).toBe(wanted[move]);
          else expect(() => scannerAfter(state, move)).toThrow(/./);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("runs under the text that was accepted, and under no other", () => {
    const scanner = {
      id: "s",
      rev: 1,
      state: "running",
      since: "",
      by: "ann",
      createdAt: "",
      updatedAt: "",
      createdBy: "",
    };
    expect(consentHolds({ ...scanner, consentBy: "ann", consentId: consentId("ann", "server") } as never)).toBe(true);
    expect(consentHolds({ ...scanner, consentBy: "bob", consentId: consentId("ann", "server") } as never)).toBe(false);
    expect(consentHolds({ ...scanner, consentBy: "ann", consentId: "that of another text" } as never)).toBe(false);
    expect(consentHolds(null)).toBe(false);
  });

  it("counts through every address, port and transport of a target once", () => {
    const target = { ports: [1, 2, 3], transports: ["tcp", "http"] as ("tcp" | "http")[] };
    const all = [{ address: "10.0.0.1" }, { address: "10.0.0.2", host: "two" }];
    const probes = Array.from({ length: 12 }, (_, at) => probeAt(target, all, at)!);
    expect(new Set(probes.map(({ address, port, transport }) => `${address} ${port} ${transport}`)).size).toBe(12);
    expect(probeAt(target, all, 12)).toBeUndefined();
    expect(probes.slice(0, 6).every(({ address }) => address === "10.0.0.1")).toBe(true);
  });

  it("lists no group, broadcast or metadata address, however it is written or whatever a name leads to", async () => {
    for (const text of [
      "224.0.0.1",
      "255.255.255.255",
      "169.254.169.254",
      "::ffff:169.254.169.254",
      "ff02::fb",
      "0.0.0.0",
      "fe80::1",
      "169.254.168.0/23",
    ])
      expect([text, listed(text)]).toEqual([text, expect.objectContaining({ forbidden: true })]);
    for (const text of [
      "10.0.0.0/21",
      "fd00::/117",
      "10.0.0.0/x",
      "10.0.0",
      "0x7f.1",
      "2130706433",
      "a b",
      "-x",
      "http://x",
    ])
      expect([text, "wrong" in listed(text)]).toEqual([text, true]);
    expect(listed("10.0.0.0/30")).toEqual({ addresses: ["10.0.0.1", "10.0.0.2"] });
    const led = await pinned(["evil.example"], () => Promise.resolve(["169.254.169.254", "224.0.0.9", "10.0.0.7"]));
    expect(led).toEqual([{ address: "10.0.0.7", host: "evil.example" }]);
  });
});

describe("the spectrum", () => {
  const emission = fc.record({
    at: fc.integer({ min: 1, max: 600_000 }),
    frequencyHz: fc.double({ min: 1e6, max: 41e9, noNaN: true }),
    bandwidthHz: fc.double({ min: 0, max: 3e9, noNaN: true }),
    powerDbm: fc.double({ min: -120, max: 60, noNaN: true }),
  });

  it("has bands that adjoin, each with its lower end and without its upper", () => {
    for (const [at, { lowHz }] of BANDS.slice(1).entries()) expect(lowHz).toBe(BANDS[at]!.highHz);
    const at30 = summaries([{ at: 1, frequencyHz: 30e6, bandwidthHz: 0, powerDbm: 0 }], 2);
    expect(at30.filter(({ emissions }) => emissions).map(({ band }) => band)).toEqual(["VHF"]);
  });

  it("averages power in milliwatts: between the least and the greatest, and no less than the mean of the decibels", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -120, max: 60, noNaN: true }), { minLength: 1, maxLength: 20 }),
        (powers) => {
          const mean = meanDbm(powers)!;
          expect(mean).toBeLessThanOrEqual(Math.max(...powers) + 1e-9);
          expect(mean).toBeGreaterThanOrEqual(powers.reduce((sum, one) => sum + one, 0) / powers.length - 1e-9);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("counts what several occupy once, as counting cells of the band does", () => {
    const [, vhf] = BANDS;
    const cells = 2_700;
    const cell = (vhf!.highHz - vhf!.lowHz) / cells;
    const aligned = fc
      .tuple(fc.integer({ min: -200, max: cells + 200 }), fc.integer({ min: 0, max: 300 }))
      .map(([from, length]): MeasuredEmission => ({
        at: 1,
        frequencyHz: vhf!.lowHz + (from + length / 2) * cell,
        bandwidthHz: length * cell,
        powerDbm: 0,
      }));
    fc.assert(
      fc.property(fc.array(aligned, { maxLength: 12 }), (all) => {
        const used = new Set<number>();
        for (const { frequencyHz, bandwidthHz } of all) {
          const from = Math.round((frequencyHz - bandwidthHz / 2 - vhf!.lowHz) / cell);
          for (let n = 0; n < Math.round(bandwidthHz / cell); n++)
            if (from + n >= 0 && from + n < cells) used.add(from + n);
        }
        expect(occupancyOf(vhf!, all)).toBeCloseTo(used.size / cells, 9);
      }),
      { numRuns: 100 },
    );
  });

  it("is the same in whatever order it was measured", () => {
    fc.assert(
      fc.property(fc.array(emission, { maxLength: 20 }), (all) => {
        const one = summaries(all, 600_000);
        const other = summaries([...all].reverse(), 600_000);
        for (const [at, band] of one.entries()) {
          expect(other[at]!.occupancy).toBeCloseTo(band.occupancy, 9);
          expect(other[at]!.emissions).toBe(band.emissions);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("the shortest way", () => {
  const known = (n: number): KnownDevice => ({
    id: `n${n}`,
    state: "identified",
    macs: [`00:1b:c5:00:00:0${n}`],
    addresses: [],
  });
  const link = fc.record({
    from: fc.integer({ min: 0, max: 6 }),
    to: fc.integer({ min: 0, max: 6 }),
    cost: fc.integer({ min: 1, max: 5 }),
  });
  const graphIn = (links: { from: number; to: number; cost: number }[]) =>
    topologyOf(
      [0, 1, 2, 3, 4, 5, 6].map(known),
      links.map(({ from, to, cost }, at) => ({
        from: { macs: [`00:1b:c5:00:00:0${from}`] },
        to: { macs: [`00:1b:c5:00:00:0${to}`] },
        evidence: "lldp" as const,
        confidence: 0.9,
        cost,
        present: true,
        lastSeenAt: new Date(at * 1_000).toISOString(),
      })),
    );

  it("costs what Floyd and Warshall say, is the same for whatever order of the links, and is a way", () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 20 }), (links) => {
        const graph = graphIn(links);
        const ids = graph.nodes.map(({ id }) => id);
        const cost = new Map(
          ids.flatMap((one) => ids.map((other) => [`${one} ${other}`, one === other ? 0 : Infinity])),
        );
        for (const { from, to, cost: own } of graph.edges) {
          cost.set(`${from} ${to}`, own);
          cost.set(`${to} ${from}`, own);
        }
        for (const via of ids)
          for (const one of ids)
            for (const other of ids)
              cost.set(
                `${one} ${other}`,
                Math.min(cost.get(`${one} ${other}`)!, cost.get(`${one} ${via}`)! + cost.get(`${via} ${other}`)!),
              );
        const turned = { nodes: graph.nodes.toReversed(), edges: graph.edges.toReversed() };
        for (const other of ids) {
          const path = shortestPath(graph, "n0", other);
          expect(path?.cost ?? Infinity).toBe(cost.get(`n0 ${other}`));
          expect(shortestPath(turned, "n0", other)?.nodes).toEqual(path?.nodes);
          if (!path) continue;
          expect([path.nodes[0], path.nodes.at(-1)]).toEqual(["n0", other]);
          for (const [at, edge] of path.edges.entries())
            expect([edge.from, edge.to].sort()).toEqual([path.nodes[at]!, path.nodes[at + 1]!].sort());
        }
        expect(shortestPath(graph, "n0", "nobody")).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });
});
