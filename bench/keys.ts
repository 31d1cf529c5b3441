import { cpuPerRequest, interleaved, median, round, start, type Contender } from "./measure.ts";

/** 120 keys have 12,000 requests a minute; all rounds together stay below. */
const REQUESTS = 1_200, ROUNDS = 7;

interface Kind { name: string; contender: Contender; path: string; keys?: readonly string[] }

/** CPU of a cheap request without a key, with one, and with one that is counted against its limit. */
export async function keys(): Promise<string> {
  const [free, limited] = await Promise.all([start("free", "keys.ts", ["free"]), start("limited", "keys.ts", ["limited"])]);
  const keysOf = (contender: Contender): string[] => contender.token!.split(" ");
  const kinds: Kind[] = [
    { name: "no key", contender: free!, path: "/api/open/7" },
    { name: "a key: whose it is, permit and scope", contender: free!, path: "/api/kept/7", keys: keysOf(free!) },
    { name: "a key that is counted against its limit", contender: limited!, path: "/api/kept/7", keys: keysOf(limited!) },
  ];
  const measure = ({ contender, path, keys: held }: Kind, amount = REQUESTS): Promise<number> =>
    cpuPerRequest(contender, path, amount, (n) => (held ? { "x-api-key": held[n % held.length]! } : {}));
  try {
    for (const kind of kinds) await measure(kind, 2_400);
    const figures = await interleaved(kinds, ROUNDS, (kind) => measure(kind));
    const bare = figures.get(kinds[0]!)!;
    const rows = kinds.map((kind) => {
      const own = figures.get(kind)!;
      return `| ${kind.name} | ${round(median(own))} | ${round(100 * median(own.map((figure, at) => figure / bare[at]! - 1)))} % |`;
    });
    return [
      "## Keys and limits", "", `CPU microseconds a request of the server process, a cheap GET, ${ROUNDS} interleaved rounds of ${REQUESTS.toLocaleString("en")} requests under 120 keys in turn; limits counted in the process. The overhead is the median of the rounds' own ratios.`, "",
      "| Request | µs | more than without |", "|---|---|---|", ...rows, "", "The aim is 10 %.", "",
    ].join("\n");
  } finally {
    for (const contender of [free!, limited!]) contender.end();
  }
}

if (import.meta.main) { console.log(await keys()); process.exit(0); }
