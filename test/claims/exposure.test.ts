import { globSync, readFileSync } from "node:fs";
import { published } from "../../core/contract/catalogue.ts";
import { allServices } from "../../services/index.ts";
import { TELLS } from "../../services/picture/cop/generation/sources.ts";
import { inFlight } from "../in-flight.ts";
import { itInside, world, type TestWorld } from "../mesh.ts";
import { someFor } from "../tries.ts";

// Claim 13: only what is published can be reached, the description names all of it, and no answer tells of the inside.

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const INSIDE = /moleculer|node_modules|\.service\.ts|\(\S+:\d+:\d+\)|sqlite|mongodb|\bselect\b|stack/i;

it("no action can be called by its name, whatever the method", async () => {
  const actions: string[] = at.mesh.broker.registry.getActionList({}).map((action: any) => action.name);
  expect(actions.length).toBeGreaterThan(20);
  const catalogue = new Set(
    (await allServices()).flatMap(({ service }) => [...published(service)]).map(({ path }) => path),
  );
  const reached: string[] = [];
  const forms = (name: string): string[] =>
    [...new Set([name, name.replaceAll(".", "/"), name.replace("$", "~").replaceAll(".", "/")])].flatMap((form) =>
      ["/api/", "/"].map((prefix) => `${prefix}${encodeURI(form)}`),
    );
  const tries = [...actions, "$node.list", "~node/list", "gateway.rest"].flatMap((name, nth) =>
    someFor(forms(name), nth, 1).filter((path) => !catalogue.has(path)),
  );
  await inFlight([...tries.entries()], async ([nth, path]) => {
    for (const method of ["GET", "POST", ...someFor(["PUT", "PATCH", "DELETE"], nth, 0)]) {
      const { status, body } = await at.http(method, path, { body: method === "GET" ? undefined : {} });
      const known = body?.error?.code ?? body?.code;
      // The console's addresses begin with the areas' names: one page for all of them.
      const isConsole = method === "GET" && typeof body === "string" && body.includes('<div id="console">');
      if (!isConsole && ![404, 405].includes(status) && !(status === 400 && known === "VALIDATION_ERROR"))
        reached.push(`${method} ${path} ${status}`);
    }
  });
  expect(reached).toEqual([]);
}, 300_000);

itInside("every action that one domain calls of another by its name is there", async () => {
  const actions = new Set(at.mesh.broker.registry.getActionList({}).map((action: any) => action.name));
  const named = globSync("services/**/*.ts").flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(/(?:\.(?:call|ask)(?:<[^()]*>)?\(\s*|starts: )"([a-z0-9-]+\.[\w.]+)"/g),
    ].map(([, name]) => ({ file, name: name! })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ name }) => !actions.has(name))).toEqual([]);
  expect(Object.values(TELLS).filter((name) => !actions.has(name))).toEqual([]);
});

itInside("the description names exactly what the gateway serves", async () => {
  const { body } = await at.http("GET", "/api/openapi.json");
  const described = Object.entries(body.paths)
    .flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    )
    .sort();
  const gateway = at.service("gateway") as any;
  expect(described).toEqual(gateway.endpoints.map((e: any) => `${e.method} ${e.path}`).sort());
  expect(gateway.aliases.map((alias: any) => `${alias.method} ${alias.fullPath}`).sort()).toEqual(described);
});

itInside("errors tell nothing of nodes, actions, queries or files", async () => {
  at.mesh.broker.createService({
    name: "leaky",
    actions: {
      boom: {
        handler() {
          throw new Error("SELECT * FROM users at /srv/secret.service.ts");
        },
      },
    },
  });
  const gateway = at.service("gateway") as any;
  const { endpoint } = gateway.router.find("GET", "/api/auth/me").value;
  const real = endpoint.action;
  endpoint.action = "leaky.boom";
  const broken = await at.http("GET", "/api/auth/me");
  endpoint.action = "nowhere.at.all";
  const absent = await at.http("GET", "/api/auth/me");
  endpoint.action = real;
  expect(broken).toMatchObject({ status: 500, body: { error: { code: "INTERNAL" } } });
  expect(absent).toMatchObject({ status: 503, body: { error: { code: "OVERLOADED" } } });
  expect(absent.headers.get("retry-after")).toBeTruthy();
  for (const { text } of [
    broken,
    absent,
    await at.http("GET", "/api/none"),
    await at.http("POST", "/api/auth/login", { as: null, raw: "{" }),
  ])
    expect(text).not.toMatch(INSIDE);
});
