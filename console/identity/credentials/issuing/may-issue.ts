import { useAnswer } from "../../../api/hooks.ts";
import { useMay } from "../../../app/session.tsx";
import { mayInSet, useMySets, type MySet } from "../../../app/sets.ts";

export interface Issuing {
  /** Outside of problem sets. */
  mayAtLarge: boolean;
  /** Sees to what was issued outside of problem sets. */
  administers: boolean;
  /** Those in which one's role issues. */
  sets: readonly MySet[];
  mayIssue: boolean;
}

/** Where the person may issue credentials, and see to those that were issued. */
export function useIssuing(): Issuing {
  const mayAtLarge = useMay("credentials:issue");
  const administers = useMay("credentials:administer");
  const mine = useMySets().data?.data ?? [];
  const [first] = mine;
  // What each role may do is the same in every set.
  const { data: roles } = useAnswer("GET /problem-sets/{id}/roles", [{ path: { id: first?.id ?? "" } }], {
    enabled: first !== undefined,
    stays: true,
  });
  const sets = mine.filter(({ role, status }) =>
    mayInSet(status, roles?.data.find((one) => one.role === role)?.permits ?? [])("credentials:issue"),
  );
  return { mayAtLarge, administers, sets, mayIssue: mayAtLarge || sets.length > 0 };
}
