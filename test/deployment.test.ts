import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { AREAS, readEnv, SETTINGS, type Area } from "../config/env.ts";
import { VERSION } from "../config/version.ts";
import { clientAddress } from "../services/gateway/http/client-address.ts";
import { pages } from "../services/gateway/pages/pages.ts";

const Name = z.object({ name: z.string() });
const Reference = z.object({ name: z.string().min(1), key: z.string().min(1), optional: z.boolean().optional() });
const Variable = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .union([
      z.strictObject({ secretKeyRef: Reference }),
      z.strictObject({ fieldRef: z.object({ fieldPath: z.string() }) }),
      z.strictObject({ configMapKeyRef: Reference }),
    ])
    .optional(),
});
const Probe = z.looseObject({
  periodSeconds: z.number().default(10),
  httpGet: z.object({ path: z.string(), port: z.union([z.string(), z.number()]) }).optional(),
});
const Container = z.looseObject({
  name: z.string(),
  image: z.string().optional(),
  env: z.array(Variable).default([]),
  envFrom: z.array(z.strictObject({ configMapRef: Name })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  resources: z
    .object({
      requests: z.record(z.string(), z.string()).optional(),
      limits: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  securityContext: z.looseObject({}).optional(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }).optional(),
});
const Pods = z.looseObject({
  metadata: z
    .object({ labels: z.record(z.string(), z.string()), annotations: z.record(z.string(), z.string()).optional() })
    .optional(),
  spec: z.looseObject({
    containers: z.array(Container),
    securityContext: z.looseObject({}).optional(),
    terminationGracePeriodSeconds: z.number().optional(),
    topologySpreadConstraints: z.array(z.unknown()).optional(),
    automountServiceAccountToken: z.boolean().optional(),
    serviceAccountName: z.string().optional(),
  }),
});
const Workload = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({ replicas: z.number().optional(), template: Pods }),
});
const Resource = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }).optional(),
});
const Kustomization = z.strictObject({
  apiVersion: z.literal("kustomize.config.k8s.io/v1beta1"),
  kind: z.literal("Kustomization"),
  namespace: z.string().optional(),
  nameSuffix: z.string().optional(),
  resources: z.array(z.string()).min(1),
  patches: z
    .array(z.strictObject({ path: z.string(), target: z.strictObject({ kind: z.string() }).optional() }))
    .default([]),
  labels: z
    .array(z.strictObject({ pairs: z.record(z.string(), z.string()), includeSelectors: z.boolean().optional() }))
    .default([]),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string().optional(), newTag: z.string() })).default([]),
});
const Policy = z.looseObject({
  metadata: Name,
  spec: z.looseObject({
    podSelector: z.looseObject({
      matchLabels: z.record(z.string(), z.string()).optional(),
      matchExpressions: z.array(z.unknown()).optional(),
    }),
    policyTypes: z.array(z.enum(["Ingress", "Egress"])),
    ingress: z.array(z.unknown()).default([]),
    egress: z
      .array(
        z.looseObject({
          to: z.array(
            z.looseObject({
              ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
            }),
          ),
        }),
      )
      .default([]),
  }),
});

/** All documents of a YAML file; a file that is not sound YAML fails the suite with its line. */
function documents(file: string): unknown[] {
  const parsed = parseAllDocuments(readFileSync(file, "utf8"), { merge: true, uniqueKeys: true });
  return [...parsed].map((document) => {
    if (document.errors.length) throw new Error(`${file}: ${document.errors[0]!.message}`);
    return document.toJS() as unknown;
  });
}

const files = globSync("k8s/**/*.yaml")
  .map((file) => file.replaceAll("\\", "/"))
  .sort();
const kustomizations = new Map(
  files
    .filter((file) => file.endsWith("/kustomization.yaml"))
    .map((file) => [dirname(file), Kustomization.parse(documents(file)[0])]),
);
const resources = files
  .filter((file) => !file.endsWith("/kustomization.yaml"))
  .flatMap((file) => documents(file).map((document) => ({ file, resource: Resource.parse(document) })));
const ofKind = (...kinds: string[]) => resources.filter(({ resource }) => kinds.includes(resource.kind));
const patchFiles = new Set(
  [...kustomizations].flatMap(([folder, { patches }]) => patches.map(({ path }) => join(folder, path))),
);
/** Whole workloads, without the patches upon them. */
const workloads = ofKind("Deployment", "StatefulSet")
  .filter(({ file }) => !patchFiles.has(file))
  .map(({ file, resource }) => ({ file, workload: Workload.parse(resource) }));
const policies = ofKind("NetworkPolicy").map(({ file, resource }) => ({ file, policy: Policy.parse(resource) }));
const template = Workload.parse(resources.find(({ file }) => file === "k8s/base/area/deployment.yaml")!.resource);
const pod = template.spec.template.spec;
const node = pod.containers[0]!;

/** The folders of the base that make the template an area, by the label they give it. */
const deployed = [...kustomizations]
  .filter(([folder, { resources: from }]) => dirname(folder) === "k8s/base" && from.includes("../area"))
  .map(([folder, { labels, nameSuffix }]) => ({
    folder,
    nameSuffix,
    area: labels.find(({ includeSelectors }) => includeSelectors)?.pairs["signalmesh/area"],
  }));
const areasWithServices = [
  ...new Set(globSync("services/*/**/*.service.ts").map((file) => file.replaceAll("\\", "/").split("/")[1] as Area)),
].sort();

const ComposeService = z.looseObject({
  image: z.string(),
  build: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.looseObject({}).optional(),
  secrets: z.array(z.looseObject({ source: z.string() })).default([]),
  networks: z.array(z.string()),
  depends_on: z.record(z.string(), z.object({ condition: z.literal("service_healthy") })).default({}),
  volumes: z.array(z.string()).default([]),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  stop_grace_period: z.string().optional(),
});
const compose = z
  .looseObject({
    services: z.record(z.string(), ComposeService),
    networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })),
    volumes: z.record(z.string(), z.unknown()),
    secrets: z.record(z.string(), z.strictObject({ environment: z.string() })),
  })
  .parse(documents("compose.yaml")[0]);
const ours = Object.entries(compose.services).filter(([, { build }]) => build);
const dockerfile = readFileSync("Dockerfile", "utf8");

/** What somebody who follows compose.yaml's head puts into `.env`. */
const GIVEN: Record<string, string> = {
  SECRET: "0a".repeat(32),
  REDIS_PASSWORD: "r3dis",
  MONGO_PASSWORD: "m0ngo",
  ELASTIC_PASSWORD: "3lastic",
};
/**
 * Compose's interpolation: `${NAME:?message}` and `${NAME:-default}`. Throws on a required name that nobody is told to
 * give.
 */
const interpolate = (text: string): string =>
  text.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind?: string, rest?: string) => {
    const value = GIVEN[name] ?? (kind === "-" ? rest : undefined);
    if (value === undefined) throw new Error(`${name} has neither a value nor a default`);
    return value;
  });

const imageSettings = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) =>
    line!.split(" ").map((pair) => pair.split("=") as [string, string]),
  ),
);
const settingsMaps = ofKind("ConfigMap").map(
  ({ file, resource }) => [file, z.record(z.string(), z.string()).parse(resource["data"])] as const,
);
const containers = ofKind("Deployment").flatMap(({ file, resource }) =>
  Workload.parse(resource).spec.template.spec.containers.map((container) => ({ file, container })),
);

/** Every setting that a file of the deployment gives to our image, with its value where the file has one. */
const named: [string, string, string | undefined][] = [
  ...Object.entries(imageSettings).map(([name, value]): [string, string, string] => ["Dockerfile", name, value]),
  ...ours.flatMap(([service, { environment }]) =>
    Object.entries(environment).map(([name, value]): [string, string, string] => [
      `compose.yaml, ${service}`,
      name,
      interpolate(value),
    ]),
  ),
  ...settingsMaps.flatMap(([file, data]) =>
    Object.entries(data).map(([name, value]): [string, string, string] => [file, name, value]),
  ),
  ...containers.flatMap(({ file, container }) =>
    container.env.map(({ name, value }): [string, string, string | undefined] => [file, name, value]),
  ),
];

describe("settings", () => {
  it.each(named)("%s: %s is a setting, and its value passes", (_, name, value) => {
    expect(Object.keys(SETTINGS)).toContain(name);
    if (value) expect(SETTINGS[name as keyof typeof SETTINGS].safeParse(value)).toMatchObject({ success: true });
  });

  it.each(ours)("compose's %s can start with them", (_, { environment }) => {
    const all = {
      ...imageSettings,
      ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolate(value)])),
    };
    expect(readEnv(all)).toMatchObject({ HOST: "0.0.0.0", PORT: 3000, AUTH: "on" });
  });

  it.each(["development", "production"])("an area in %s can start with them", (overlay) => {
    const base = settingsMaps.find(([file]) => file === "k8s/base/settings.yaml")![1];
    const over = settingsMaps.find(([file]) => file === `k8s/overlays/${overlay}/settings.yaml`)![1];
    const secrets = {
      SECRET: GIVEN["SECRET"],
      TRANSPORTER: "redis://redis:6379",
      MONGO_URL: "mongodb://mongo/signalmesh",
      ELASTICSEARCH_URL: "http://elasticsearch:9200",
    };
    expect(
      node.env
        .filter(({ valueFrom }) => valueFrom && "secretKeyRef" in valueFrom)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(secrets).sort());
    const env = readEnv({
      ...imageSettings,
      ...base,
      ...over,
      ...secrets,
      SERVICES: "platform",
      NODE_ID: "signalmesh-platform-7d9c5b8f6d-x2x4z",
    });
    expect(env).toMatchObject({ HOST: "0.0.0.0", AUTH: "on", ALLOW_PRIVATE_FEEDS: "off", LOG_FORMAT: "json" });
    expect(node.ports).toEqual([
      { name: "http", containerPort: env.PORT },
      { name: "metrics", containerPort: env.METRICS_PORT },
    ]);
    expect(template.spec.template.metadata!.annotations).toMatchObject({
      "prometheus.io/port": String(env.METRICS_PORT),
      "prometheus.io/path": "/metrics",
    });
  });

  it("an area in the cluster is given what it reads: its model, mail, chain, wallet and identity provider", () => {
    const read = {
      LLM_BASE_URL: /world\.llm\b/,
      SMTP_URL: /world\.mail\b/,
      CHAIN_RPC_URL: /world\.chain\b|\{ (?:\w+, )*chain\b[\w, ]* \} = [\w.]*world\b/,
      SHIELDED_RPC_URL: /world\.wallet\b/,
      OIDC_ISSUER: /world\.oidc\b|env\.OIDC_ISSUER\b/,
    };
    const lacking = AREAS.flatMap((area) => {
      const sources = globSync(`services/${area}/**/*.ts`).map((file) => readFileSync(file, "utf8"));
      const given = containers
        .filter(({ file }) => file.startsWith(`k8s/base/${area}/`))
        .flatMap(({ container }) => container.env.map(({ name }) => name));
      return Object.entries(read)
        .filter(([name, use]) => !given.includes(name) && sources.some((source) => use.test(source)))
        .map(([name]) => `${area}: ${name}`);
    });
    expect(lacking).toEqual([]);
  });

  it("the gateway takes an ingress controller's word for who asks, and nobody else reaches it", () => {
    const settings = settingsMaps.find(([file]) => file === "k8s/base/settings.yaml")![1];
    const addressOf = clientAddress(readEnv({ TRUSTED_PROXIES: settings["TRUSTED_PROXIES"] }).TRUSTED_PROXIES);
    const from = (peer: string, forwarded: string): string | undefined =>
      addressOf({ socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwarded } } as never);
    expect(from("10.244.1.7", "203.0.113.9")).toBe("203.0.113.9");
    expect(from("203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
  });

  it("takes what is secret by reference, in the cluster and in compose", () => {
    const secret = /SECRET|PASS|TOKEN|KEY|MONGO_URL|TRANSPORTER|SMTP_URL|WEBHOOK|RPC/;
    expect(settingsMaps.flatMap(([, data]) => Object.keys(data)).filter((name) => secret.test(name))).toEqual([]);
    expect(
      containers
        .flatMap(({ container }) => container.env)
        .filter(({ name, value }) => secret.test(name) && value !== undefined),
    ).toEqual([]);
    expect(ofKind("Secret")).toEqual([]);
    const literal = ours
      .flatMap(([, { environment }]) => Object.entries(environment))
      .filter(([name, value]) => secret.test(name) && !value.includes("${"));
    expect(literal).toEqual([]);
  });
});

describe("areas", () => {
  it("every area is deployed, and no other", () => {
    const areas = [...AREAS].sort();
    expect(deployed.map(({ area }) => area).sort()).toEqual(areas);
    expect(ours.map(([service]) => service).sort()).toEqual(areas);
    expect(areas).toEqual(expect.arrayContaining(areasWithServices));
  });

  it.each(deployed)("$folder names one area everywhere", ({ folder, nameSuffix, area }) => {
    expect([folder, nameSuffix]).toEqual([`k8s/base/${area}`, `-${area}`]);
    expect(kustomizations.get("k8s/base")!.resources).toContain(area);
    expect(node.env.find(({ name }) => name === "SERVICES")!.valueFrom).toEqual({
      fieldRef: { fieldPath: "metadata.labels['signalmesh/area']" },
    });
  });

  it.each(ours)("compose's %s runs the area it is named after", (service, { environment }) => {
    expect(environment["SERVICES"]).toBe(service);
  });
});

describe("kustomize", () => {
  it.each([...kustomizations])("%s lists what exists", (folder, { resources: from, patches }) => {
    const missing = [...from, ...patches.map(({ path }) => path)].filter(
      (path) => !existsSync(join(folder, path)) || (!path.endsWith(".yaml") && !kustomizations.has(join(folder, path))),
    );
    expect(missing).toEqual([]);
  });

  it("every file is listed", () => {
    const listed = new Set(
      [...kustomizations].flatMap(([folder, { resources: from, patches }]) =>
        [...from, ...patches.map(({ path }) => path)].map((path) => join(folder, path)),
      ),
    );
    expect(files.filter((file) => !file.endsWith("/kustomization.yaml") && !listed.has(file))).toEqual([]);
  });

  it("patches take nothing of the template away", () => {
    for (const file of patchFiles)
      expect(readFileSync(file, "utf8")).not.toMatch(/\$patch|securityContext|Probe|: null/);
  });

  it("production runs this release", () => {
    expect(kustomizations.get("k8s/overlays/production")!.images).toMatchObject([
      { name: node.image, newTag: VERSION },
    ]);
  });
});

describe("pods", () => {
  it("are the template and the development stores", () => {
    expect(workloads.map(({ file }) => file).sort()).toEqual([
      "k8s/base/area/deployment.yaml",
      ...["elasticsearch", "mongo", "redis"].map((store) => `k8s/overlays/development/stores/${store}.yaml`),
    ]);
  });

  it.each(workloads)("$file: probes, no privileges, resources", ({ workload }) => {
    const { spec } = workload.spec.template;
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const container of spec.containers) {
      expect(container.readinessProbe).toBeDefined();
      expect(container.livenessProbe).toBeDefined();
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
      expect(Object.keys(container.resources?.requests ?? {})).toEqual(expect.arrayContaining(["cpu", "memory"]));
      expect(container.resources?.limits).toHaveProperty("memory");
    }
  });

  it("an area cannot write but where a volume is, and those are the folders its settings name", () => {
    expect(node.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
    expect(node.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/tmp", imageSettings["DATA_DIR"]]);
    expect(pod).toMatchObject({ securityContext: { runAsUser: Number(/^USER (\d+):\d+$/m.exec(dockerfile)![1]) } });
  });

  it("probes ask what the code serves, and liveness asks nothing of the stores", () => {
    const served = pages([], readEnv({})).map(({ path }) => path);
    for (const probe of [node.startupProbe, node.readinessProbe, node.livenessProbe])
      expect(served).toContain(probe?.httpGet?.path);
    expect(node.livenessProbe?.httpGet?.path).toBe("/health/live");
    expect(node.readinessProbe?.httpGet?.path).toBe("/health/ready");
    expect(dockerfile).toContain("/health/ready");
  });

  it("are given time to finish what they accepted: to be seen leaving, to drain, to answer what other nodes asked, to hand jobs back", () => {
    const seconds = (file: string, name: string): number =>
      Number(new RegExp(`const ${name} = ([\\d_]+);`).exec(readFileSync(file, "utf8"))![1]!.replaceAll("_", "")) /
      1_000;
    const [drain, leave] = [
      seconds("services/gateway/gateway.service.ts", "DRAIN_MS"),
      seconds("mesh/mesh.ts", "LEAVE_MS"),
    ];
    const handOver = 5;
    const seen = (settings: Record<string, string | undefined>): number =>
      SETTINGS.DRAIN_SECONDS.parse(settings["DRAIN_SECONDS"]);
    const preStop = node.lifecycle!.preStop.sleep.seconds;
    const base = settingsMaps.find(([file]) => file === "k8s/base/settings.yaml")![1];
    for (const [, over] of settingsMaps) {
      const settings = { ...imageSettings, ...base, ...over };
      expect(pod.terminationGracePeriodSeconds!).toBeGreaterThanOrEqual(
        preStop + seen(settings) + drain + leave + handOver,
      );
      // Whoever sends requests sees that the pod goes, by the probe or by the list of endpoints, before it takes no
      // more.
      expect(preStop + seen(settings)).toBeGreaterThanOrEqual(node.readinessProbe!.periodSeconds);
      // A connection kept open goes to its pod whatever the list says: its answers tell it to end before the server
      // cuts it.
      expect(seen(settings)).toBeGreaterThan(0);
    }
    for (const [, { stop_grace_period, environment }] of ours)
      expect(parseInt(stop_grace_period!, 10)).toBeGreaterThanOrEqual(
        seen({ ...imageSettings, ...environment }) + drain + leave + handOver,
      );
  });

  it("are counted by the autoscaler, spread, and not all evicted at once", () => {
    expect(template.spec.replicas).toBeUndefined();
    expect(pod.topologySpreadConstraints).toHaveLength(2);
    const target = { apiVersion: "apps/v1", kind: "Deployment", name: template.metadata.name };
    expect(
      ofKind("HorizontalPodAutoscaler").find(({ file }) => file.startsWith("k8s/base/area/"))!.resource,
    ).toMatchObject({ spec: { scaleTargetRef: target, minReplicas: 2 } });
    expect(ofKind("PodDisruptionBudget")[0]!.resource).toMatchObject({
      spec: { maxUnavailable: 1, selector: { matchLabels: { "app.kubernetes.io/name": "signalmesh" } } },
    });
  });
});

describe("the network", () => {
  const inFolder = (folder: string) =>
    policies.filter(({ file }) => dirname(file) === folder).map(({ policy }) => policy);
  const labels = template.spec.template.metadata!.labels;

  it("is closed to every pod but by a policy that selects it", () => {
    expect(inFolder("k8s/base").find(({ metadata }) => metadata.name === "deny-all")).toMatchObject({
      spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"], ingress: [], egress: [] },
    });
    for (const { policy } of policies.filter(({ file }) => file.startsWith("k8s/base/")))
      expect(labels).toMatchObject(policy.spec.podSelector.matchLabels ?? {});
  });

  it("lets requests in to the gateway alone", () => {
    const open = policies.filter(({ file, policy }) => file.startsWith("k8s/base/") && policy.spec.ingress.length);
    expect(open.map(({ file }) => file)).toEqual([
      "k8s/base/gateway/network-policy.yaml",
      "k8s/base/metrics-policy.yaml",
    ]);
    // Everywhere else one port is open, to whoever reads metrics.
    expect(open[1]!.policy.spec.ingress).toEqual([
      {
        from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
        ports: [{ protocol: "TCP", port: "metrics" }],
      },
    ]);
  });

  it("lets the areas out that speak to the internet, and to no private address", () => {
    const out = policies.filter(({ policy }) => policy.spec.egress.some(({ to }) => to.some(({ ipBlock }) => ipBlock)));
    expect(out.map(({ file }) => file)).toEqual(["k8s/base/internet-policy.yaml"]);
    const [{ values }] = z
      .tuple([
        z.object({ key: z.literal("signalmesh/area"), operator: z.literal("In"), values: z.array(z.enum(AREAS)) }),
      ])
      .parse(out[0]!.policy.spec.podSelector.matchExpressions);
    const speaks = (area: Area): boolean =>
      globSync(`services/${area}/**/*.ts`).some((file) =>
        /world\.(?:outbound|mail|channels|llm|oidc|chain|wallet)\b|\{ (?:[\w, ]*\b)?(?:outbound|llm|chain)\b[\w, ]* \} = [\w.]*world\b/.test(
          readFileSync(file, "utf8"),
        ),
      );
    expect(values).toEqual(expect.arrayContaining(AREAS.filter(speaks)));
    expect(AREAS.filter((area) => !values.includes(area))).toContain("gateway");
    const [four, six] = out[0]!.policy.spec.egress[0]!.to.map(({ ipBlock }) => ipBlock!);
    expect(four).toMatchObject({
      cidr: "0.0.0.0/0",
      except: expect.arrayContaining([
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "127.0.0.0/8",
        "100.64.0.0/10",
      ]),
    });
    expect(six).toEqual({ cidr: "2000::/3", except: [] });
    expect(
      ours
        .filter(([, { networks }]) => networks.includes("outside"))
        .map(([service]) => service)
        .sort(),
    ).toEqual(values);
    expect(compose.networks["stores"]).toEqual({ internal: true });
  });
});

describe("compose", () => {
  it.each(Object.entries(compose.services))("%s names what is declared, and waits for what it needs", (_, service) => {
    for (const { source } of service.secrets) expect(compose.secrets).toHaveProperty(source);
    for (const network of service.networks) expect(compose.networks).toHaveProperty(network);
    for (const volume of service.volumes) expect(compose.volumes).toHaveProperty(volume.split(":")[0]!);
    for (const other of Object.keys(service.depends_on)) expect(compose.services).toHaveProperty(other);
    expect(service.build ? dockerfile : service.healthcheck).toEqual(
      service.build ? expect.stringContaining("HEALTHCHECK") : expect.objectContaining({ test: expect.anything() }),
    );
    if (service.build) expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  });
});

describe("the image", () => {
  it("is built on the Node that the lock file pins", () => {
    const pinned = (JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> })
      .dependencies["node"];
    expect(/^ARG NODE_IMAGE=node:([\d.]+)-slim$/m.exec(dockerfile)?.[1]).toBe(pinned);
  });

  it("runs without root, in exec form, and ends by SIGTERM", () => {
    expect([...dockerfile.matchAll(/^USER (.+)$/gm)].at(-1)![1]).toBe("1000:1000");
    expect(dockerfile).toMatch(
      /^CMD \["node", "--max-semi-space-size=8", "--heap-growing-percent=40", "scripts\/start.ts"\]$/m,
    );
    expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK [^]*?CMD \["node", /m);
  });

  it("keeps compiled code where a start looks for it, made and readable by the user it runs as", () => {
    // Node names the folder of its compile cache after the user's number, and writes files that their owner alone may
    // read.
    expect(readFileSync("scripts/run.ts", "utf8")).toContain('? "../.cache/node" : "../../node"');
    expect(dockerfile).toMatch(
      /USER node\nRUN \[[^\]]*\['--max-semi-space-size=8', '--heap-growing-percent=40', 'scripts\/start\.ts'\][^]*?USER root\nRUN chmod -R a\+rX \.cache\n/,
    );
  });

  it("holds every folder that the code imports from, and neither tests nor secrets", () => {
    const ignored = readFileSync(".dockerignore", "utf8")
      .split("\n")
      .filter((line) => line && !line.startsWith("#"));
    expect(ignored[0]).toBe("*");
    const sent = ignored.slice(1).map((line) => line.slice(1));
    // scripts/noun.ts writes imports of files to come; scripts/fuzz registers accounts as the tests do.
    const code = globSync("{adapters,core,config,mesh,mixins,scripts,services}/**/*.ts").filter(
      (file) => !/^scripts\/(noun\.ts|fuzz\/)/.test(file),
    );
    const imported = code.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/(?:from |import\(|import )"(\.\.?\/[^"]+)"/g)].map(([, path]) =>
        join(dirname(file), path!),
      ),
    );
    const missing = imported.filter((path) => !sent.some((folder) => path === folder || path.startsWith(`${folder}/`)));
    expect(imported.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
    const kept = [...readFileSync(".gitignore", "utf8").matchAll(/^!(data\/\w+)\/$/gm)].map(([, folder]) => folder);
    expect(sent).toEqual(expect.arrayContaining(kept));
    expect(sent.filter((path) => /^(test|\.env|node_modules|data$)/.test(path))).toEqual([]);
  });
});
