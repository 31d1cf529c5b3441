import { cpuPerRequest, interleaved, many, median, round, start } from "../../measure.ts";
import { PATHS } from "../../contenders/routes.ts";

/** Code is compiled in steps: until then it is the compiler that is measured. */
const WARM_UP = many(8_000, 100);
const ROUNDS = many(15),
  REQUESTS = many(1_500, 160);

/** CPU a request of one cheap GET at 600 routes: first, middle and last of the table. */
export async function gateway(): Promise<string> {
  const contenders = await Promise.all([
    start("node:http", "node-http.ts"),
    start("Fastify", "fastify.ts"),
    start("moleculer-web, stock", "moleculer-web.ts"),
    start("Signalmesh, public", "signalmesh.ts", ["public"]),
    start("Signalmesh, with a JWT", "signalmesh.ts", ["jwt"]),
  ]);
  contenders[3]!.token = undefined;
  try {
    for (const contender of contenders) for (const path of PATHS) await cpuPerRequest(contender, path, WARM_UP);
    // A round is all of a contender's paths, so that its ratio is that of its own few seconds.
    const figures = await interleaved(contenders, ROUNDS, async (contender) => {
      const round: number[] = [];
      for (const path of PATHS) round.push(await cpuPerRequest(contender, path, REQUESTS));
      return round;
    });
    const mean = (round: readonly number[]): number => round.reduce((sum, one) => sum + one, 0) / round.length;
    const fastify = figures.get(contenders[1]!)!.map(mean);
    const rows = contenders.map((contender) => {
      const own = figures.get(contender)!;
      return `| ${contender.name} | ${PATHS.map((_, at) => round(median(own.map((one) => one[at]!)))).join(" | ")} | ${round(median(own.map((one, at) => mean(one) / fastify[at]!)), 2)} |`;
    });
    return [
      "## Gateway: one cheap GET at 600 routes",
      "",
      `CPU microseconds a request of the server process, median of ${ROUNDS} interleaved rounds of ${REQUESTS.toLocaleString("en")} requests a path; the last column is the median of the rounds' own ratios.`,
      "",
      "| Server | first route | middle | last | x Fastify |",
      "|---|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  } finally {
    for (const contender of contenders) contender.end();
  }
}

if (import.meta.main) console.log(await gateway());
