import { createContext, useContext, type ComponentProps, type ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { Page } from "../../parts/page.tsx";

/** The problem set around, and what whoever is here may do in it. */
export interface OpenSet {
  set: Data<"GET /problem-sets/{id}">;
  /** What their role allows in it. */
  permits: readonly string[];
  /** Whether they may do this here and now: in an archived set everybody may only read. */
  maySet(permit: string): boolean;
}

const Around = createContext<OpenSet | null>(null);
export const SetProvider = ({ value, children }: { value: OpenSet; children: ReactNode }): ReactNode => (
  <Around value={value}>{children}</Around>
);

/** The problem set of the address, anywhere below `/workspace/:problemSetId`. */
export function useSet(): OpenSet {
  const open = useContext(Around);
  if (!open) throw new Error("There is no problem set around.");
  return open;
}

/** A page of a problem set: the window's title names the set, too. */
export const SetPage = (page: ComponentProps<typeof Page>): ReactNode => <Page of={useSet().set.name} {...page} />;
