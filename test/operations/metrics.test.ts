import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { parse as parseYaml } from "yaml";
import { readEnv } from "../../config/env.ts";
import { Durations, Exposition, outcomeOf } from "../../core/load/metrics.ts";
import { guarded } from "../../mesh/guards/guards.ts";
import { startMesh } from "../../mesh/mesh.ts";
import { CallMeter } from "../../mesh/metrics.middleware.ts";
import { commonsOf } from "../../mixins/domain.mixin.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Reads Prometheus' text format; throws on a line that is not of it. */
function parse(text: string): { samples: Sample[]; families: Map<string, string> } {
  const families = new Map<string, string>();
  const samples: Sample[] = [];
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.trimEnd().split("\n")) {
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    if (type) {
      expect(families.has(type[1]!)).toBe(false);
      families.set(type[1]!, type[2]!);
      continue;
    }
    if (/^# HELP [a-z_]+ .+$/.test(line)) continue;
    const sample = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!sample) throw new Error(`not a line of the format: ${line}`);
    const labels = Object.fromEntries(
      [...(sample[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name!, value!]),
    );
    samples.push({ name: sample[1]!, labels, value: sample[3] === "+Inf" ? Infinity : Number(sample[3]) });
    expect(
      families.has(sample[1]!) || families.get(sample[1]!.replace(/_(bucket|sum|count)$/, "")) === "histogram",
    ).toBe(true);
  }
  return { samples, families };
}

let its: TestWorld;
/** What a collector has when it has been at every node of the mesh. */
const scrape = async () => {
  const nodes = await Promise.all(
    its.nodes.map(async ({ metrics }) => parse(await (await fetch(metrics!.url)).text())),
  );
  return {
    samples: nodes.flatMap(({ samples }) => samples),
    families: new Map(nodes.flatMap(({ families }) => [...families])),
  };
};
const value = (samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined =>
  samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, wanted]) => sample.labels[label] === wanted),
  )?.value;
beforeAll(async () => {
  its = await world({ METRICS_PORT: "0" });
});
afterAll(() => its.stop());

it("serves metrics on a port of their own, and nothing else there", async () => {
  const answer = await fetch(its.mesh.metrics!.url);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect((await fetch(its.mesh.metrics!.url.replace("/metrics", "/api/sources"))).status).toBe(404);
  expect((await its.http("GET", "/metrics", { as: null })).status).toBe(404);
});

it("counts calls by action and outcome, and how long they took, exactly", async () => {
  const counted = async (outcome: string): Promise<number> =>
    value((await scrape()).samples, "signalmesh_action_calls_total", { action: "sources.list", outcome }) ?? 0;
  const [ok, refused] = [await counted("ok"), await counted("refused")];
  for (let n = 0; n < 7; n++) await its.http("GET", "/api/sources");
  for (let n = 0; n < 3; n++) expect((await its.http("GET", "/api/sources?limit=x")).status).toBe(400);
  expect([await counted("ok"), await counted("refused")]).toEqual([ok + 7, refused + 3]);
  const { samples } = await scrape();
  const buckets = samples
    .filter(
      ({ name, labels }) => name === "signalmesh_action_duration_seconds_bucket" && labels["action"] === "sources.list",
    )
    .map((sample) => sample.value);
  expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
  expect(buckets.at(-1)).toBe(value(samples, "signalmesh_action_duration_seconds_count", { action: "sources.list" }));
  expect(buckets.at(-1)).toBe(ok + refused + 10);
});

it("has few labels, whose values nobody outside chooses", async () => {
  await its.http("GET", "/api/canary-path-4711?canary-query=1", { headers: { "x-request-id": "canary-request-4711" } });
  await its.http("GET", "/api/articles/999999999");
  const { samples } = await scrape();
  // Of the figures themselves nobody can say what digits they have.
  expect(JSON.stringify(samples.map(({ name, labels }) => [name, labels]))).not.toMatch(
    /canary|999999999|example\.org/,
  );
  expect([...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))].sort()).toEqual([
    "action",
    "kind",
    "le",
    "method",
    "node",
    "outcome",
    "quantile",
    "status",
    "version",
    "what",
  ]);
  const actions = new Set(its.mesh.broker.registry.getActionList({}).map(({ name }: { name: string }) => name));
  for (const { labels } of samples) if (labels["action"]) expect(actions).toContain(labels["action"]);
});

it("tells of responses, event loop, heap, jobs and outbox", async () => {
  await its.http("GET", "/api/sources");
  // What was begun before this story may still be under way.
  const { samples } = await eventually(
    scrape,
    ({ samples: now }) =>
      value(now, "signalmesh_outbox_pending") === 0 && value(now, "signalmesh_jobs", { status: "queued" }) === 0,
  );
  expect(
    value(samples, "signalmesh_http_response_duration_seconds_count", { method: "GET", status: "2xx" }),
  ).toBeGreaterThan(0);
  expect(value(samples, "signalmesh_event_loop_delay_seconds", { quantile: "0.99" })).toBeGreaterThanOrEqual(0);
  expect(value(samples, "signalmesh_heap_bytes", { what: "used" })).toBeLessThan(
    value(samples, "signalmesh_heap_bytes", { what: "limit" })!,
  );
  expect(value(samples, "process_cpu_seconds_total")).toBeGreaterThan(0);
  expect([value(samples, "signalmesh_requests_waiting"), value(samples, "signalmesh_requests_refused_total")]).toEqual([
    0, 0,
  ]);
  expect(value(samples, "signalmesh_outbox_pending")).toBe(0);
  expect(value(samples, "signalmesh_jobs", { status: "queued" })).toBe(0);
  for (const up of ["signalmesh_store_up", "signalmesh_search_up", "signalmesh_transporter_up"])
    expect([up, value(samples, up)]).toEqual([up, 1]);
});

it("counts background work that ended by kind and how, from nought on", async () => {
  const ended = async (kind: string): Promise<(number | undefined)[]> => {
    const { samples } = await scrape();
    return [
      ...["completed", "failed"].map((status) => value(samples, "signalmesh_jobs_ended_total", { kind, status })),
      value(samples, "signalmesh_job_attempts_failed_total", { kind }),
    ];
  };
  const [completed] = await ended("search.reindex");
  await its.http("POST", "/api/search/reindex");
  await eventually(
    () => ended("search.reindex"),
    ([now]) => now === completed! + 1,
  );
  expect(await ended("documents.read")).toEqual([0, 0, 0]);
  const { jobs } = commonsOf(its.mesh.broker);
  jobs.work("metrics.doomed", { attempts: 2, backoffMs: 1, run: () => Promise.reject(new Error("broken")) }, {});
  expect(await ended("metrics.doomed")).toEqual([0, 0, 0]);
  await jobs.add("metrics.doomed", {}, { by: "system:test" });
  await eventually(
    () => ended("metrics.doomed"),
    ([, failed]) => failed === 1,
  );
  expect(await ended("metrics.doomed")).toEqual([0, 1, 2]);
});

it("tells what the embedded stores take up, and what their disk has left", async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "signalmesh-disk-"));
  const mesh = await startMesh(readEnv({ PORT: "0", METRICS_PORT: "0", DATA_DIR }), { quiet: true });
  try {
    const { samples } = parse(await (await fetch(mesh.metrics!.url)).text());
    for (const what of ["documents", "search"])
      expect(value(samples, "signalmesh_store_bytes", { what })).toBeGreaterThan(4_096);
    const [size, available] = ["size", "available"].map((what) => value(samples, "signalmesh_disk_bytes", { what })!);
    expect(available).toBeGreaterThan(0);
    expect(available).toBeLessThanOrEqual(size!);
  } finally {
    await mesh.stop();
    await rm(DATA_DIR, { recursive: true });
  }
}, 60_000);

describe("a broker under strain", () => {
  const meter = new CallMeter();
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const broker = new ServiceBroker(
    guarded({
      logger: false,
      middlewares: [meter.inner as never],
      requestTimeout: 50,
      bulkhead: { enabled: true, concurrency: 2, maxQueueSize: 3 },
      circuitBreaker: {
        enabled: true,
        threshold: 0.5,
        minRequestCount: 5,
        windowTime: 60,
        halfOpenTime: 60_000,
        check: () => true,
      },
    } as never),
  );
  broker.middlewares.add(meter.outer as never);
  meter.attend(broker);
  broker.createService({
    name: "strained",
    actions: {
      hold: { timeout: 0, handler: () => held },
      stall: () => new Promise(() => {}),
      fail: () => {
        throw new Error("ours");
      },
    },
  } as never);
  beforeAll(() => broker.start());
  afterAll(() => broker.stop());
  const now = (): Sample[] => {
    const told = new Exposition();
    meter.tell(told);
    return parse(String(told)).samples;
  };

  it("shows what the bulkhead holds back, and what it refuses", async () => {
    const calls = Array.from({ length: 6 }, () =>
      broker.call("strained.hold").then(
        () => "ok",
        (error: { type: string }) => error.type,
      ),
    );
    expect(value(now(), "signalmesh_calls_running")).toBe(6);
    await eventually(now, (samples) => value(samples, "signalmesh_bulkhead_waiting") === 3);
    release();
    expect((await Promise.all(calls)).sort()).toEqual(["QUEUE_FULL", "ok", "ok", "ok", "ok", "ok"]);
    const samples = now();
    expect([value(samples, "signalmesh_bulkhead_waiting"), value(samples, "signalmesh_calls_running")]).toEqual([0, 0]);
    expect(value(samples, "signalmesh_action_calls_total", { action: "strained.hold", outcome: "overloaded" })).toBe(1);
  });

  it("shows time-outs, failures, and the circuit that they open", async () => {
    await expect(broker.call("strained.stall")).rejects.toThrow("timed out");
    for (let n = 0; n < 6; n++) await broker.call("strained.fail").catch(() => {});
    const samples = now();
    expect(value(samples, "signalmesh_action_calls_total", { action: "strained.stall", outcome: "timeout" })).toBe(1);
    expect(value(samples, "signalmesh_action_calls_total", { action: "strained.fail", outcome: "failed" })).toBe(5);
    expect(value(samples, "signalmesh_circuits", { action: "strained.fail", state: "open" })).toBe(1);
  });
});

it("puts durations into the right buckets, and labels into words that nothing breaks", () => {
  const durations = new Durations();
  for (const milliseconds of [0.5, 0.51, 10, 20_000]) durations.note(milliseconds, 0);
  const text = String(new Exposition().durations("d_seconds", "Of\nthings.", [[{ action: 'a"\\\n' }, durations]]));
  expect(text).toContain('d_seconds_bucket{action="a\\"\\\\\\n",le="0.0005"} 1\n');
  expect(text).toContain('le="0.001"} 2\n');
  expect(text).toContain('le="0.01"} 3\n');
  expect(text).toContain('le="10"} 3\n');
  expect(text).toContain('le="+Inf"} 4\n');
  expect(text).toContain("# HELP d_seconds Of\\nthings.\n");
  expect([
    outcomeOf({ code: 404 }),
    outcomeOf(new Error("x")),
    outcomeOf({ code: 504 }),
    outcomeOf({ code: 503 }),
  ]).toEqual(["refused", "failed", "timeout", "unavailable"]);
});

/** Whether an expression asks for metrics and labels that a collector has. */
async function demandKnown(expr: string): Promise<void> {
  const { families, samples } = await scrape();
  const names = [...expr.matchAll(/\b(?:signalmesh|process)_[a-z_]+/g)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names)
    expect(families.has(name) || families.get(name.replace(/_(bucket|sum|count)$/, "")) === "histogram").toBe(true);
  const known = new Set([...samples.flatMap(({ labels }) => Object.keys(labels)), "state", "instance", "job"]);
  for (const [, labels] of expr.matchAll(/by \(([^)]*)\)/g))
    for (const label of labels!.split(",")) expect(known).toContain(label.trim());
  for (const [, label] of expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)"/g)) expect(known).toContain(label);
}

describe("dashboards", () => {
  interface Panel {
    title: string;
    targets?: { expr: string }[];
    panels?: Panel[];
  }
  const boards = globSync("deploy/grafana/*.json").map(
    (file) =>
      [file, JSON.parse(readFileSync(file, "utf8")) as { title: string; uid: string; panels: Panel[] }] as const,
  );
  const targets = (panels: readonly Panel[]): [string, string][] =>
    panels.flatMap(({ title, targets: own = [], panels: inner = [] }) => [
      ...own.map(({ expr }): [string, string] => [title, expr]),
      ...targets(inner),
    ]);

  it("there are some, and each asks something", () => {
    expect(boards.length).toBeGreaterThan(0);
    for (const [, { panels }] of boards) expect(targets(panels).length).toBeGreaterThan(8);
  });

  it.each(boards.flatMap(([file, { panels }]) => targets(panels).map(([title, expr]) => [file, title, expr])))(
    "%s, %s asks for metrics and labels that exist",
    (_file, _title, expr) => demandKnown(expr!),
  );
});

describe("alerts", () => {
  interface Rule {
    alert: string;
    expr: string;
    for: string;
    labels: { severity: string };
    annotations: { summary: string; action: string };
  }
  const { groups } = parseYaml(readFileSync("deploy/prometheus/alerts.yaml", "utf8")) as {
    groups: { rules: Rule[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);

  it.each(rules.map(({ alert, expr }) => [alert, expr]))("%s asks for metrics and labels that exist", (_alert, expr) =>
    demandKnown(expr!),
  );

  it("each has a name of its own, waits for what passes by itself, and says what to do", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule.for).toMatch(/^\d+m$/);
      expect(["critical", "warning"]).toContain(rule.labels.severity);
      expect(rule.annotations.summary).not.toBe("");
      expect(rule.annotations.action).not.toBe("");
    }
  });
});
