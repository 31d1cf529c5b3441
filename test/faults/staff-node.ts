import { enableCompileCache, registerHooks } from "node:module";
import { join } from "node:path";

// A node of what a workflow needs and no more, for a parent that asks it over the channel between processes: it starts
// in a third of the time of a whole one. It loads at once, and opens its stores when it is told to.

const ROOT = join(import.meta.dirname, "../..");
const SERVICES = [
  "identity/auth/auth",
  "identity/identity/identity",
  "identity/user-mode/user-mode",
  "workspace/problem-sets/problem-sets",
  "workspace/missions/missions",
  "staff/agents/agents",
  "staff/orchestration/orchestration",
];
/** In place of services/index.ts: these alone. */
const source = `
import { introduce } from ${JSON.stringify(join(ROOT, "core/contract/catalogue.ts"))};
${SERVICES.map((name, n) => `import s${n} from ${JSON.stringify(join(ROOT, `services/${name}.service.ts`))};`).join("\n")}
const found = [${SERVICES.map((name, n) => `{ area: "${name.split("/")[0]}", service: s${n} }`).join(", ")}];
export async function allServices() {
  introduce(found.map(({ service }) => service));
  return found;
}`;
registerHooks({
  load: (url, context, next) =>
    url.endsWith("/services/index.ts") ? { format: "module", source, shortCircuit: true } : next(url, context),
});
enableCompileCache(join(ROOT, ".cache/node"));
const { startMesh } = await import("../../mesh/mesh.ts");
const { readEnv } = await import("../../config/env.ts");
const { systemActor } = await import("../../core/access/access.ts");
const { newRequestId } = await import("../../core/ids.ts");

interface Asked {
  n: number;
  action: string;
  params: object;
  token?: string;
}
const opened = Promise.withResolvers<Awaited<ReturnType<typeof startMesh>>>();
const say = (told: object): unknown => process.send!(told);

async function answer({ n, action, params, token }: Asked): Promise<void> {
  const { broker } = await opened.promise;
  const call = (name: string, given: object, actor?: unknown): Promise<unknown> =>
    broker.call(name, given, { meta: actor ? { actor } : {}, requestID: newRequestId() } as never);
  try {
    const actor = token && (await call("auth.identify", { credential: token }, systemActor("gateway")));
    say({ n, value: await call(action, params, actor) });
  } catch (error) {
    say({ n, error: (error as Error).message });
  }
}

process.on("message", (told: Asked | "open") => {
  if (told !== "open") return void answer(told);
  void startMesh(readEnv(process.env), { quiet: !process.env["SHOW_LOG"] }).then((mesh) => {
    opened.resolve(mesh);
    say({ n: 0 });
  }, opened.reject);
});
process.on("disconnect", () => process.exit());
say({ isLoaded: true });
