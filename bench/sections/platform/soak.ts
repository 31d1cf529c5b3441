import { Pool } from "undici";
import { PATHS } from "../../contenders/routes.ts";
import { many, median, round, start } from "../../measure.ts";

const REQUESTS = many(1_000_000, 3_200),
  STEPS = many(10, 2),
  CONNECTIONS = 16;
const MB = 2 ** 20;

/**
 * What is asked in turn: mostly what is answered, under a token and without; now and then what is not there, is wrong,
 * or has a name of its own.
 */
const ASKED: { path: (n: number) => string; status: number; headers?: (n: number) => Record<string, string> }[] = [
  { path: () => PATHS[1]!, status: 200 },
  {
    path: (n) => `/api/noun-100/${(n % 100_000) + 1}`,
    status: 200,
    headers: (n) => ({ "x-request-id": `soak-${String(n).padStart(8, "0")}` }),
  },
  { path: () => "/api/noun-007", status: 200 },
  {
    path: (n) => `/api/noun-100/${(n % 100_000) + 1}/stats`,
    status: 200,
    headers: () => ({ "if-none-match": '"other"' }),
  },
  { path: () => "/api/noun-100/none", status: 400 },
  { path: (n) => `/api/nowhere-${n}`, status: 404 },
];

/** Whether anything grows over a million requests: the heap after forced collections, at equal steps. */
export async function soak(): Promise<string> {
  const contender = await start("Signalmesh", "signalmesh.ts", ["jwt"], ["--expose-gc"]);
  const pool = new Pool(contender.url, { connections: CONNECTIONS });
  const rows: string[] = [];
  const heaps: number[] = [];
  let sent = 0,
    refused = 0;
  const ask = async (): Promise<void> => {
    const n = sent++;
    const { path, status, headers } = ASKED[n % ASKED.length]!;
    const { statusCode, body } = await pool.request({
      method: "GET",
      path: path(n),
      headers: { authorization: `Bearer ${contender.token}`, ...headers?.(n) },
    });
    await body.dump();
    // On a machine that others keep busy the gateway may say to come later.
    if (statusCode === 503) refused++;
    else if (statusCode !== status) throw new Error(`${path(n)}: ${statusCode}`);
  };
  try {
    for (let step = 0; step <= STEPS; step++) {
      const until = step && REQUESTS / STEPS;
      const lane = async (): Promise<void> => {
        for (let n = 0; n < until / CONNECTIONS; n++) await ask();
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, lane));
      const { heap, rss } = await contender.heap();
      heaps.push(heap / MB);
      rows.push(`| ${sent.toLocaleString("en")} | ${round(heap / MB)} | ${Math.round(rss / MB)} |`);
    }
  } finally {
    await pool.close();
    contender.end();
  }
  // The first steps compile code and fill what is bounded; growth would go on after them.
  const settled = heaps.slice(STEPS / 2);
  const growth = median(settled.slice(1).map((heap, at) => heap - settled[at]!));
  return [
    "## A million requests",
    "",
    `One process with 600 further routes, ${CONNECTIONS} connections; of six requests under a token four are answered, one is malformed and one asks for what is not there. The heap after two forced collections.`,
    "",
    "| Requests | heap, MB | resident, MB |",
    "|---|---|---|",
    ...rows,
    "",
    `Median growth of a step in the second half: ${round(growth * 1_024)} KB in ${(REQUESTS / STEPS).toLocaleString("en")} requests; ${refused.toLocaleString("en")} were told to come later. The aim is no growth.`,
    "",
  ].join("\n");
}

if (import.meta.main) {
  console.log(await soak());
  process.exit(0);
}
