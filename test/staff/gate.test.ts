import fc from "fast-check";
import { ACTION_CLASSES } from "../../config/safety.ts";
import { TOOL_NAMES, toolRow, type ToolName } from "../../config/tools.ts";
import {
  agentActor,
  authorize,
  demandFresh,
  personOf,
  type Actor,
  type AccessRights,
} from "../../core/access/access.ts";
import { approvalHash } from "../../services/staff/agents/approvals/approvals.ts";
import {
  covers,
  handedOn,
  coveredByAll,
  type Delegation,
} from "../../services/staff/agents/delegations/delegations.ts";
import { findings } from "../../services/staff/agents/executions/analysing.ts";
import { rank } from "../../core/text/searching/relevance.ts";
import { answerCompartments, redacted } from "../../services/staff/agents/gate/effects.ts";
import { addressFor, formOf } from "../../services/staff/agents/tools/parameters.ts";
import { definitionsOf } from "../../services/staff/agents/gate/definitions.ts";
import { allServices } from "../../services/index.ts";

const mark = { id: "a", execution: "e", step: "s" };
const standing: AccessRights & Partial<Actor> = {
  userId: "ann",
  roles: ["system_admin"],
  permits: ["*"],
  omniscient: true,
  provedAt: Date.now(),
  memberships: {
    one: { role: "commander", permits: ["*"], compartments: ["red", "blue"] },
    two: { role: "commander", permits: ["*"], compartments: ["green"] },
  },
};
const narrow = {
  problemSetId: "one",
  compartments: ["red", "green"],
  permits: ["*:read", "missions:edit"],
  limits: ["*:read"],
};

it("an agent is its person in one set, in what was granted, for one act; and never the mesh, nor the person", () => {
  const actor = agentActor(standing, mark, narrow);
  expect(actor).toEqual({
    userId: "ann",
    roles: ["system_admin"],
    via: "agent",
    agent: mark,
    permits: ["*"],
    limits: ["*:read"],
    memberships: { one: { role: "commander", permits: ["*:read", "missions:edit"], compartments: ["red"] } },
  });
  expect(() => authorize(actor, "internal")).toThrow("the mesh's own");
  expect(() => authorize(actor, "self")).toThrow("not for an agent");
  expect(() => authorize(actor, "missions:edit")).toThrow("narrowed");
  expect(() => personOf(actor)).toThrow("not for an agent");
  expect(() => demandFresh({ ...actor, provedAt: Date.now() }, Date.now())).toThrow("no agent gives");
  expect(agentActor(standing, mark, { permits: [], limits: [] }).memberships).toEqual({});
});

it("every tool of the table is an action of this mesh, with a class that fits what it does", async () => {
  const definitions = definitionsOf((await allServices()).map(({ service }) => service));
  expect([...definitions.keys()]).toEqual(TOOL_NAMES);
  for (const { name, effect, endpoint, hash, probe, schema } of definitions.values()) {
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    if (effect === "read") expect([name, endpoint.method]).toEqual([name, "GET"]);
    else expect(["observe"]).not.toContain(toolRow(name as ToolName).class);
    expect([name, endpoint.contract.stepUp, endpoint.contract.permit]).not.toContain("internal");
    if (probe) expect(Object.keys(schema.shape)).toContain(probe.by);
  }
});

const ALL = TOOL_NAMES.map((name) => ({ name, class: toolRow(name).class }));
const tools = fc.uniqueArray(fc.constantFrom(...TOOL_NAMES), { maxLength: 6 });
const classes = fc.uniqueArray(fc.constantFrom(...ACTION_CLASSES), { maxLength: 4 });
const grants = fc.uniqueArray(fc.constantFrom<string>("a", "b", "c"), { maxLength: 3 });
const limits = fc.record({ calls: fc.integer({ min: 1, max: 99 }), tokens: fc.integer({ min: 1, max: 99 }) });
const expiresAt = fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z");
const delegation = fc.record({ tools, classes, grants, limits, expiresAt });

it("what is handed on is never more, in any respect", () => {
  fc.assert(
    fc.property(delegation, delegation, (from, wanted) => {
      const on = handedOn(from as Delegation, wanted as Delegation, ALL);
      const both = ALL.filter((tool) => covers(from, tool) && covers(wanted, tool));
      expect(ALL.filter((tool) => covers(on, tool))).toEqual(both);
      expect(on.grants.every((one) => from.grants.includes(one) && wanted.grants.includes(one))).toBe(true);
      expect(on.limits.calls).toBe(Math.min(from.limits.calls, wanted.limits.calls));
      expect(on.expiresAt <= from.expiresAt && on.expiresAt <= wanted.expiresAt).toBe(true);
      expect(coveredByAll(ALL, on)).toEqual([...on.tools]);
    }),
    { numRuns: 50 },
  );
});

it("no argument of a tool of HTTP leads out of the place in the path that it stands for", () => {
  const http = { method: "GET" as const, url: "https://api.example.org/v1/{a}/of/{b}", hosts: ["api.example.org"] };
  const text = fc.oneof(fc.string(), fc.constantFrom("..", ".", "%2e%2e", "/", "\\", "@evil.example", "?x#y", "{b}"));
  fc.assert(
    fc.property(text, text, text, (a, b, other) => {
      const address = addressFor(http, { a, b, other });
      if ([a, b].some((one) => ["", ".", ".."].includes(one))) return void expect(address).toBeNull();
      if (!a.isWellFormed() || !b.isWellFormed()) return;
      const parts = address!.pathname.split("/");
      expect([address!.host, parts.length, parts[1], parts[3]]).toEqual(["api.example.org", 5, "v1", "of"]);
      expect([parts[2], parts[4]].map((one) => decodeURIComponent(one!))).toEqual([a, b]);
      expect(address!.searchParams.get("other")).toBe(other);
    }),
    { numRuns: 300 },
  );
});

it("an approval's hash changes with each thing that is approved, and not with the order of fields", () => {
  const approved = {
    tool: "open_mission",
    definitionHash: "d",
    arguments: { name: "x", tags: ["a", "b"] },
    problemSetId: "p",
    agentId: "a",
    agentVersion: 1,
    executionId: "e",
    stepId: "s",
    approver: "planner" as const,
    expiresAt: "t",
  };
  const hash = approvalHash(approved);
  expect(approvalHash({ ...approved, arguments: { tags: ["a", "b"], name: "x" } })).toBe(hash);
  const others = Object.entries(approved).map(([key, value]) =>
    approvalHash({ ...approved, [key]: typeof value === "object" ? { ...value, more: 1 } : `${value}2` } as never),
  );
  expect(new Set([hash, ...others]).size).toBe(others.length + 1);
});

it("an answer that does not say where it lies, lies in all that the agent may read in", () => {
  const actor = agentActor(standing, mark, { ...narrow, compartments: ["red", "blue"] });
  const inSets = { endpoint: { contract: { within: {} } } } as never;
  expect(answerCompartments({ data: [{ compartments: ["red"] }, { compartments: [] }] }, actor, inSets)).toEqual([
    "red",
  ]);
  expect(answerCompartments({ data: [{ compartments: ["red"] }, {}] }, actor, inSets)).toEqual(["blue", "red"]);
  expect(answerCompartments({ text: "words" }, actor, inSets)).toEqual(["blue", "red"]);
  expect(answerCompartments({ data: [] }, actor, inSets)).toEqual([]);
  expect(answerCompartments({ text: "words" }, actor, { endpoint: { contract: {} } } as never)).toEqual([]);
});

it("shows no text of arguments, and every id", () => {
  const id = "0192aaaa-1111-7222-8333-444455556666";
  expect(redacted({ id, name: "The bridge", n: 3, list: ["a b"] })).toEqual({
    id,
    name: expect.stringMatching(/^\[10 characters, sha256 [0-9a-f]{12}\]$/),
    n: 3,
    list: [expect.stringMatching(/^\[3 characters/)],
  });
  // Nor what is named as a secret, nor a name that is a text.
  const shown = redacted({ apiKey: "sk-1", password: { one: 1234 }, "Meet at the ford": 1, tokens: 5 });
  expect(JSON.stringify(shown)).not.toMatch(/sk-1|1234|ford/);
  expect(shown).toMatchObject({ tokens: 5, password: { one: expect.stringMatching(/^\[4 characters/) } });
});

it("ranks the text that speaks of the question first, and nothing where none does", () => {
  const texts = ["list gates. List every gate of a problem set", "list missions. List each mission you may see"];
  const [gates, missions] = rank("Which mission is late?", texts);
  expect(missions! > 0 && gates === 0).toBe(true);
  expect(rank("zebra", texts)).toEqual([0, 0]);
});

it("finds what contradicts itself, and nothing in order", () => {
  const guards = { kind: "mdmp-transition", subject: "m", step: "orders" };
  const gate = { enforcement: "hard", guards };
  const situation = {
    missions: [{ id: "m", name: "Bridge", status: "completed", objective: "Hold", endsAt: "2030-01-01T00:00:00Z" }],
    gates: [
      { ...gate, id: "g1", name: "One", status: "approved", deadline: "2030-01-01T00:00:00Z" },
      { ...gate, id: "g2", name: "Two", status: "rejected", deadline: "2030-01-01T00:00:00Z" },
    ],
    documents: [],
  };
  expect(findings(situation, Date.parse("2026-01-01")).map(({ kind }) => kind)).toEqual([
    "contradiction",
    "contradiction",
  ]);
  expect(findings({ ...situation, gates: situation.gates.slice(0, 1) }, Date.parse("2026-01-01"))).toEqual([]);
});

it("reads a foreign schema with its coveredByAll parts, without its words, and to no end of them", () => {
  const coveredByAll = { Kind: { type: "string", enum: ["a", "b"], description: "Do as I say." } };
  const properties = { kind: { $ref: "#/$defs/Kind", description: "x" }, far: { $ref: "https://evil.example/s" } };
  expect(formOf({ type: "object", properties, $defs: coveredByAll })).toEqual({
    type: "object",
    properties: { kind: { type: "string", enum: ["a", "b"] }, far: {} },
  });
  const itself = { $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } } };
  expect(JSON.stringify(formOf({ ...itself, $ref: "#/$defs/Node" })).length).toBeLessThan(1_000);
  const doubled = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => {
      const next = { $ref: `#/definitions/d${n + 1}` };
      return [`d${n}`, { anyOf: Array.from({ length: 40 }, () => next) }];
    }),
  );
  expect(JSON.stringify(formOf({ $ref: "#/definitions/d0", definitions: doubled })).length).toBeLessThan(50_000);
});
