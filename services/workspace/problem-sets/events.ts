export { MemberReadOut, MemberRemoved } from "./members/members.ts";
export { ProblemSetArchived } from "./sets/sets.ts";
