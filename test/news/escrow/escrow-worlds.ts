import type { Policy } from "../../../services/news/escrow/payouts/payouts.ts";
import { Simulation, type Verdict } from "./escrow-simulation.ts";

/** A part of the five hundred: each part is a file of its own, so that two can run at once. */
export function worlds(firstSeed: number, count: number, policy: Partial<Policy> = {}): void {
  describe(`${count} worlds of kills, restarts and a failing wallet, from seed ${firstSeed}, policy ${JSON.stringify(policy)}`, () => {
    const verdicts = new Map<number, Verdict>();

    beforeAll(async () => {
      for (let seed = firstSeed; seed < firstSeed + count; seed++)
        verdicts.set(seed, await Simulation.run(seed, { policy }));
    }, 600_000);

    it("lose no payout, double none, and leave books that agree with the wallet", () => {
      const wrong = [...verdicts]
        .filter(([, { problems }]) => problems.length > 0)
        .map(([seed, { problems }]) => ({ seed, problems }));
      expect(wrong).toEqual([]);
    });

    it("were eventful: processes died, and answers of the wallet were lost and sent again", () => {
      const total = (of: (verdict: Verdict) => number) =>
        [...verdicts.values()].reduce((sum, verdict) => sum + of(verdict), 0);
      expect(total(({ kills }) => kills)).toBeGreaterThan(count);
      expect(total(({ payouts }) => payouts)).toBe(count * 3);
      expect(total(({ sends }) => sends)).toBeGreaterThan(count * 5);
    });
  });
}
