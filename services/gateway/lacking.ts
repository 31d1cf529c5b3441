import { rolesWith } from "../../config/roles.ts";
import { setRolesWith } from "../../config/set-roles.ts";
import { lackOf } from "../../core/access/access.ts";
import { Problem } from "../../core/problem.ts";

/**
 * Adds to a refusal the roles that hold the missing permit: no more than the table of access shows. Nothing is added
 * where a role would not help, as with a key's scopes or an agent's powers.
 */
export function withRoles(problem: Problem): Problem {
  const lack = lackOf(problem);
  if (!lack || lack.narrowedTo) return problem;
  const roles: readonly string[] = lack.role === undefined ? rolesWith(lack.permit) : setRolesWith(lack.permit);
  if (!roles.length || (lack.role !== undefined && roles.includes(lack.role))) return problem;
  const told = lack.role === undefined ? ofAccounts(roles) : ofTheSet(roles);
  return new Problem(problem.code, problem.type, `${problem.message} ${told}`, {
    ...problem.data,
    details: { ...lack, roles },
  });
}

/** Some roles of accounts are called as some of a problem set are. */
const ofAccounts = (roles: readonly string[]): string =>
  roles.length === 1
    ? `Accounts of the role ${roles[0]} have it.`
    : `Accounts of these roles have it: ${roles.join(", ")}.`;
const ofTheSet = (roles: readonly string[]): string =>
  roles.length === 1 ? `The role ${roles[0]} has it.` : `These roles have it: ${roles.join(", ")}.`;
