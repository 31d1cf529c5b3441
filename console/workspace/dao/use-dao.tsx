import { createContext, useContext, type ComponentProps, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { allows } from "../../app/session.tsx";
import { usePeople } from "../set/known.ts";
import { SetPage, useSet } from "../set/use-set.tsx";
import type { Dao, DaoRole, DaoMeasure, Standing } from "./dao-types.ts";
import type { MeasureNames } from "./choice-words.ts";

/** More than a DAO has roles: no page lists them in parts. */
const ALL = 100;

/** The DAO around, and how whoever is here stands in it. */
export interface OpenDao {
  dao: Dao;
  mine: Standing;
}
const Around = createContext<OpenDao | null>(null);
export const DaoProvider = ({ value, children }: { value: OpenDao; children: ReactNode }): ReactNode => (
  <Around value={value}>{children}</Around>
);

/** The DAO of the address. */
export function useDao(): OpenDao {
  const open = useContext(Around);
  if (!open) throw new Error("There is no DAO around.");
  return open;
}

export const daoAddress = ({ problemSetId, id }: Pick<Dao, "problemSetId" | "id">): string =>
  `/workspace/${problemSetId}/dao/${id}`;

/** A page of a DAO: the window's title names the DAO. */
export const DaoPage = (page: ComponentProps<typeof SetPage>): ReactNode => (
  <SetPage of={useDao().dao.name} {...page} />
);

export function useRoles(): readonly DaoRole[] {
  const { dao } = useDao();
  const roles = useAnswer("GET /dao/{daoId}/roles", [{ path: { daoId: dao.id }, query: { limit: ALL, sort: "name" } }]);
  return roles.data?.data ?? [];
}

/** People of the problem set whose role lets them vote. */
export function useVoters(): readonly ListRow<"GET /accounts/people">[] {
  const { set } = useSet();
  const people = usePeople();
  const roles = useAnswer("GET /problem-sets/{id}/roles", [{ path: { id: set.id } }], { stays: true });
  const voting = roles.data?.data.filter(({ permits }) => allows(permits, "dao:vote")).map(({ role }) => role);
  return voting ? people.filter(({ role }) => voting.includes(role as (typeof voting)[number])) : people;
}

/** What those are called that measures name; ids of what is no person where that is not known here. */
export function useMeasureNames(measures: readonly DaoMeasure[]): MeasureNames {
  const { set } = useSet();
  const [people, roles] = [usePeople(), useRoles()];
  const wants = (name: DaoMeasure["do"]): boolean => measures.some((one) => one.do === name);
  const gates = useAnswer(
    "GET /gates/{problemSetId}",
    [{ path: { problemSetId: set.id }, query: { limit: ALL, sort: "-updatedAt" } }],
    { enabled: wants("open-gate") },
  );
  const called = (all: readonly { id: string; name: string }[] | undefined, id: string): string =>
    all?.find((one) => one.id === id)?.name ?? id;
  return {
    person: (account) =>
      people.find(({ userId, did }) => userId === account || did === account)?.userName ??
      (people.length ? "somebody who is no member now" : "…"),
    role: (id) => `“${called(roles, id)}”`,
    gate: (id) => `“${called(gates.data?.data, id)}”`,
    bounty: (id) => id,
  };
}

/** A way to the person's own DAOs. */
export const ToDaos = (): ReactNode => <Link to={`/workspace/${useSet().set.id}/dao`}>DAOs</Link>;
