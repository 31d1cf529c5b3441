import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { barrier } from "../../../../core/access/place.ts";
import { delegateChain } from "../delegations/delegations.ts";
import { sum, Total } from "./integers.ts";

/** What a member's power rests on: being one, the weights of their roles added up, or their tokens. */
export const BASES = ["member", "role", "token"] as const;
export type Basis = (typeof BASES)[number];

export const Elector = z.object({ id: PersonId, power: Total }).meta({ id: "DaoVoter" });
export type Elector = z.output<typeof Elector>;
export const Handover = z.object({ from: PersonId, to: PersonId }).meta({ id: "DaoHandover" });
export type Handover = z.output<typeof Handover>;

/**
 * Who could vote on a proposal, with which power and whose trust: taken once, when the voting opens, and never changed.
 * Its id is the proposal's.
 */
export const Snapshot = entity("dao.snapshots", {
  title: "snapshot of voting power",
  fields: {
    daoId: z.string(),
    problemSetId: z.string(),
    compartments: z.array(z.string()).default([]),
    electors: z.array(Elector),
    delegations: z.array(Handover),
    depth: z.int().min(0),
    total: Total,
    takenAt: Instant,
  },
  immutable: ["problemSetId", "compartments"],
  barrier,
});
export type Snapshot = Item<typeof Snapshot>;
export type Electorate = Pick<Snapshot, "electors" | "delegations" | "depth">;

export interface Holding {
  roles: readonly string[];
  tokens: string;
}

/** A member's own power. */
export function powerOf(basis: Basis, holding: Holding | undefined, weights: ReadonlyMap<string, bigint>): bigint {
  if (basis === "member") return 1n;
  if (!holding) return 0n;
  return basis === "token" ? BigInt(holding.tokens) : sum(holding.roles.map((role) => weights.get(role) ?? 0n));
}

/** The electorate as it stands: power by basis, and the delegations between those who belong to it. */
export function electorate(
  basis: Basis,
  members: readonly string[],
  holdings: ReadonlyMap<string, Holding>,
  weights: ReadonlyMap<string, bigint>,
  delegates: ReadonlyMap<string, string>,
  depth: number,
): Electorate & { total: string } {
  const electors = [...new Set(members)].sort().map((id) => ({ id, power: powerOf(basis, holdings.get(id), weights) }));
  const belongs = new Set(electors.map(({ id }) => id));
  const delegations =
    depth === 0
      ? []
      : [...delegates].filter(([from, to]) => belongs.has(from) && belongs.has(to)).map(([from, to]) => ({ from, to }));
  return {
    electors: electors.map(({ id, power }) => ({ id, power: String(power) })),
    delegations,
    depth,
    total: String(sum(electors.map(({ power }) => power))),
  };
}

/**
 * Each elector's chain: who may speak for them, nearest first, themselves at its head, at most `depth` delegates long.
 */
export function chains({ electors, delegations, depth }: Electorate): { power: bigint; chain: string[] }[] {
  const delegates = new Map(delegations.map(({ from, to }) => [from, to]));
  return electors.map(({ id, power }) => ({ power: BigInt(power), chain: delegateChain(id, delegates, depth) }));
}

/** Powers that one voter speaks for: equal ones together, since a quadratic vote takes the root of each. */
export interface Carried {
  total: bigint;
  parts: Map<bigint, number>;
}

/**
 * Whose power each voter carries. A member's power goes to the first on their chain who voted: to themselves if they
 * did, which takes it back from every delegate. Each power is thus counted once or, where nobody on the chain voted,
 * not at all.
 */
export function carry(
  electorate: Electorate,
  voted: ReadonlySet<string>,
): { carried: Map<string, Carried>; cast: bigint; uncast: bigint; represented: number } {
  const carried = new Map<string, Carried>();
  let cast = 0n,
    uncast = 0n,
    represented = 0;
  for (const { power, chain } of chains(electorate)) {
    const speaker = chain.find((member) => voted.has(member));
    if (speaker === undefined) {
      uncast += power;
      continue;
    }
    const load = carried.get(speaker) ?? { total: 0n, parts: new Map() };
    load.total += power;
    load.parts.set(power, (load.parts.get(power) ?? 0) + 1);
    carried.set(speaker, load);
    cast += power;
    represented++;
  }
  return { carried, cast, uncast, represented };
}

/**
 * How somebody stands in an electorate while these have voted: their own power, what a vote of theirs carries and for
 * whom besides themselves, and who speaks for them until they vote. Null for who does not belong to it.
 */
export function standingOf(
  electorate: Electorate,
  voted: ReadonlySet<string>,
  member: string,
): { power: string; carried: string; represents: string[]; speaker: string | null } | null {
  const own = electorate.electors.find(({ id }) => id === member);
  if (!own) return null;
  const speaking = new Set([...voted, member]);
  let carried = 0n,
    speaker: string | null = null;
  const represents: string[] = [];
  for (const { power, chain } of chains(electorate)) {
    const [elector] = chain;
    if (elector === member) speaker = voted.has(member) ? null : (chain.find((one) => voted.has(one)) ?? null);
    if (chain.find((one) => speaking.has(one)) !== member) continue;
    carried += power;
    if (elector !== member) represents.push(elector!);
  }
  return { power: own.power, carried: String(carried), represents, speaker };
}
