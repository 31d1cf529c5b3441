import { Dao } from "./daos.ts";
import { DaoRole } from "./members/members.ts";

export { ConfigChange } from "./daos.ts";

/** What a DAO and a role in it are made from. */
export const newDao = Dao.create;
export const newDaoRole = DaoRole.create;
