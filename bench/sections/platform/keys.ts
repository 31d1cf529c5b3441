import { type Contender, cpuPerRequest, interleaved, many, median, round, start } from "../../measure.ts";

/**
 * 600 keys have 60,000 requests a minute; all rounds together stay below. Many short rounds: what else the machine does
 * meets all kinds of one round alike.
 */
const REQUESTS = many(1_000, 320),
  ROUNDS = many(41);

interface Kind {
  name: string;
  contender: Contender;
  path: string;
  keys?: readonly string[];
}

/** CPU of a cheap request without a key, with one, and with one that is counted against its limit. */
export async function keys(): Promise<string> {
  const [free, limited] = await Promise.all([
    start("free", "keys.ts", ["free"]),
    start("limited", "keys.ts", ["limited"]),
  ]);
  const keysOf = (contender: Contender): string[] => contender.token!.split(" ");
  const kinds: Kind[] = [
    { name: "no key, limits off", contender: free!, path: "/api/open/7" },
    { name: "a key: whose it is, permit and scope", contender: free!, path: "/api/kept/7", keys: keysOf(free!) },
    { name: "no key, limits on", contender: limited!, path: "/api/open/7" },
    {
      name: "a key that is counted against its limit",
      contender: limited!,
      path: "/api/kept/7",
      keys: keysOf(limited!),
    },
  ];
  const measure = ({ contender, path, keys: held }: Kind, amount = REQUESTS): Promise<number> =>
    cpuPerRequest(contender, path, amount, (n): Record<string, string> =>
      held ? { "x-api-key": held[n % held.length]! } : {},
    );
  try {
    for (const kind of kinds) await measure(kind, many(8_000, 160));
    const figures = await interleaved(kinds, ROUNDS, (kind) => measure(kind));
    const rows = kinds.map((kind) => {
      const own = figures.get(kind)!;
      // Beside the same request without a key, of the same process.
      const bare = figures.get(kinds.find(({ contender, keys: held }) => contender === kind.contender && !held)!)!;
      return `| ${kind.name} | ${round(median(own))} | ${round(100 * median(own.map((figure, at) => figure / bare[at]! - 1)))} % |`;
    });
    return [
      "## Keys and limits",
      "",
      `CPU microseconds a request of the server process, a cheap GET, ${ROUNDS} interleaved rounds of ${REQUESTS.toLocaleString("en")} requests under 600 keys in turn; limits counted in the process. The overhead is that over the same process's request without a key, the median of the rounds' own ratios.`,
      "",
      "| Request | µs | more than without |",
      "|---|---|---|",
      ...rows,
      "",
      "The aim is 10 %.",
      "",
    ].join("\n");
  } finally {
    for (const contender of [free!, limited!]) contender.end();
  }
}

if (import.meta.main) {
  console.log(await keys());
  process.exit(0);
}
