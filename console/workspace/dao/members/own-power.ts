import type { DaoMember, DaoRole, Rules } from "../dao-types.ts";

/** An enrolled member's own power, as the API counts it when a voting opens. */
export function powerOf(
  basis: Rules["basis"],
  { tokens, roles: held }: Pick<DaoMember, "tokens" | "roles">,
  roles: readonly Pick<DaoRole, "id" | "weight">[],
): string {
  if (basis === "member") return "1";
  if (basis === "token") return tokens;
  const weights = new Map(roles.map(({ id, weight }) => [id, BigInt(weight)]));
  return String(held.reduce((sum, id) => sum + (weights.get(id) ?? 0n), 0n));
}
