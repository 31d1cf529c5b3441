import type { ReactNode } from "react";
import { useMySets } from "../../../app/sets.ts";

/** Another problem set by its name; whoever is no member of it is told only where it stands. */
export function OtherSet({ id, otherwise }: { id: string | undefined; otherwise: string }): ReactNode {
  const { data } = useMySets();
  return data?.data.find((set) => set.id === id)?.name ?? otherwise;
}
