export { MemberReadOut, MemberRemoved } from "./members/members.ts";
