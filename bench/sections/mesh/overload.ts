import { Flood, text } from "../../../test/faults/load/flood.ts";
import { correctedFor } from "../../../test/faults/load/processor.ts";
import type { Outcome } from "../../../test/faults/load/generator.ts";
import { many, median, round } from "../../measure.ts";
import { onNode } from "../../node.ts";

const CLIENTS = [16, 64];
const ROUNDS = many(3, 1),
  CLOSED_SECONDS = many(2, 1),
  OPEN_SECONDS = many(9, 1),
  CONNECTIONS = many(4_000, 50);
const TIMES = 3;
const PASSWORD = "correct horse battery staple 42";

/** What is done a second, had the process had a processor whenever it wanted one. */
interface Done extends Outcome {
  rate: number;
}
async function done(run: () => Promise<Outcome>): Promise<Done> {
  const [outcome, more] = await correctedFor(process.pid, run);
  return { ...outcome, rate: (outcome.good / outcome.seconds) * more };
}

/** How much of its best a node still does when three times that is asked of it, and whom it refuses below that. */
export function overload(): Promise<string> {
  return onNode("gateway,identity,workspace,platform", async ({ url }) => {
    const ask = async (path: string, body: object, token?: string): Promise<any> => {
      const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
      const answer = await fetch(`${url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return ((await answer.json()) as { data: any }).data;
    };
    const { token } = await ask("/auth/login", { email: "admin@example.org", password: PASSWORD });
    const { id } = await ask("/problem-sets", { name: "Flood" }, token);
    for (let n = 0; n < 50; n++) await ask("/gates", { problemSetId: id, tab: "all", name: `Gate ${n}` }, token);
    const read = text("GET", `/api/gates/${id}?limit=20`, token);
    const write = text("POST", "/api/missions", token, { problemSetId: id, name: "Row" });
    const mixes = { reads: [read], "one write in ten": [...Array.from({ length: 9 }, () => read), write] };
    const flood = new Flood();
    const rows: string[] = [];
    try {
      for (const [name, requests] of Object.entries(mixes)) {
        await flood.run(url!, { requests, seconds: CLOSED_SECONDS, connections: 16 });
        const rates: number[] = [],
          shares: number[] = [];
        const refused = CLIENTS.map(() => 0);
        let over = 0,
          sent = 0;
        const closely = async (): Promise<Done[]> => {
          const all: Done[] = [];
          for (const connections of CLIENTS)
            all.push(await done(() => flood.run(url!, { requests, seconds: CLOSED_SECONDS, connections })));
          all.forEach((one, which) => (refused[which]! += one.refused));
          return all;
        };
        for (let at = 0; at < ROUNDS; at++) {
          const before = await closely();
          // As much as the machine lets it do now: what others take is no part of what it could.
          const now = Math.max(...before.map(({ good, seconds }) => good / seconds));
          const open = await done(() =>
            flood.run(url!, { requests, seconds: OPEN_SECONDS, connections: CONNECTIONS, rate: now * TIMES }),
          );
          const best = Math.max(...[...before, ...(await closely())].map(({ rate }) => rate));
          rates.push(best);
          shares.push(open.rate / best);
          over += open.refused;
          sent += open.sent;
        }
        rows.push(
          `| ${name} | ${Math.round(median(rates))} | ${refused.join(" and ")} | ${round(median(shares) * 100)} | ${round((over / sent) * 100)} |`,
        );
      }
    } finally {
      flood.end();
    }
    return [
      "## Three times what a node can do",
      "",
      `A page of gates, and missions that are made, with the guard as it comes. Best: what ${CLIENTS.join(" or ")} clients get done that ask anew when they are answered, in ${CLOSED_SECONDS} s before and after. Between them ${TIMES} times that is asked for ${OPEN_SECONDS} s, whatever the answers do. Median of ${ROUNDS} rounds; corrected for the time that others had the processor, by which a rate is higher than what was seen.`,
      "",
      `| Requests | best, a second | refused, ${CLIENTS.join(" and ")} clients | at ${TIMES} times, % of best | refused then, % |`,
      "|---|---|---|---|---|",
      ...rows,
      "",
      "The aims are none refused below what it can do, and 90 % of the best beyond.",
      "",
    ].join("\n");
  });
}

if (import.meta.main) {
  console.log(await overload());
  process.exit(0);
}
