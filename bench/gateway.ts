import { cpuPerRequest, interleaved, median, round, start } from "./measure.ts";
import { PATHS } from "./contenders/routes.ts";

/** CPU a request of one cheap GET at 600 routes: first, middle and last of the table. */
export async function gateway(): Promise<string> {
  const contenders = await Promise.all([
    start("node:http", "node-http.ts"), start("Fastify", "fastify.ts"), start("moleculer-web, stock", "moleculer-web.ts"),
    start("Signalmesh, public", "signalmesh.ts", ["public"]), start("Signalmesh, with a JWT", "signalmesh.ts", ["jwt"]),
  ]);
  contenders[3]!.token = undefined;
  try {
    for (const contender of contenders) await cpuPerRequest(contender, PATHS[1]!, 5_000);
    const rows: string[] = [];
    const all = new Map<string, number[]>();
    for (const path of PATHS) for (const [contender, figures] of await interleaved(contenders, 7, (one) => cpuPerRequest(one, path, 4_000))) all.set(contender.name, [...(all.get(contender.name) ?? []), median(figures)]);
    const fastify = median(all.get("Fastify")!);
    for (const [name, figures] of all) rows.push(`| ${name} | ${figures.map((figure) => round(figure)).join(" | ")} | ${round(median(figures) / fastify, 2)} |`);
    return ["## Gateway: one cheap GET at 600 routes", "", "CPU microseconds a request of the server process, median of 7 interleaved rounds of 4,000 requests.", "", "| Server | first route | middle | last | x Fastify |", "|---|---|---|---|---|", ...rows, ""].join("\n");
  } finally {
    for (const contender of contenders) contender.end();
  }
}

if (import.meta.main) console.log(await gateway());
