import type { ReactNode } from "react";
import { Navigate, NavLink, useLocation, useSearchParams } from "react-router";
import { useAnswer } from "../api/hooks.ts";
import { allows, useWho } from "../app/session.tsx";
import { Select } from "../parts/form.tsx";
import { Page, Shown } from "../parts/page.tsx";

/** In the address, in place of a problem set: what lies outside of all. */
const EVERYBODY = "everybody";

/** Whose picture is looked at: of a problem set, or of everybody of one's mode. */
export interface PicturePlace {
  /** Absent outside of all problem sets. */
  problemSetId?: string;
  name: string;
  isArchived: boolean;
  may(permit: string): boolean;
}

/** What an address within the area keeps of the one before: whose picture it is. */
export const placeQuery = ({ problemSetId }: PicturePlace): string => `?set=${problemSetId ?? EVERYBODY}`;
/** The place as the API takes it in queries and bodies. */
export const inPlace = ({ problemSetId }: PicturePlace): { problemSetId?: string } =>
  problemSetId === undefined ? {} : { problemSetId };
/** A list asked for without a problem set holds those of all; outside means outside. */
export const liesIn =
  ({ problemSetId }: PicturePlace) =>
  (one: { problemSetId?: string }): boolean =>
    one.problemSetId === problemSetId;

const PARTS = [
  ["/picture", "Map"],
  ["/picture/resources", "Resources"],
  ["/picture/sensors", "Sensors"],
  ["/picture/personnel", "Personnel"],
  ["/picture/discovery", "Devices"],
] as const;

interface FrameProps {
  title: string;
  intro: string;
  acts?(place: PicturePlace): ReactNode;
  children(place: PicturePlace): ReactNode;
}

/** A page of the picture: whose it is, and the ways to its other parts. */
export function PictureFrame({ title, intro, acts, children }: FrameProps): ReactNode {
  const sets = useAnswer("GET /problem-sets/me", [{ query: { limit: 100, sort: "name" } }]);
  const [search, setSearch] = useSearchParams();
  const { pathname } = useLocation();
  const { permits } = useWho();
  const asked = search.get("set");
  const chosen = sets.data?.data.find(({ id }) => id === asked);
  const roles = useAnswer("GET /problem-sets/{id}/roles", [{ path: { id: chosen?.id ?? "" } }], {
    enabled: chosen !== undefined,
  });
  const mine = roles.data?.data.find(({ role }) => role === chosen?.role)?.permits ?? [];
  const place: PicturePlace = {
    ...(chosen && { problemSetId: chosen.id }),
    name: chosen?.name ?? "everybody",
    isArchived: chosen?.status === "archived",
    may: (permit) => (chosen ? chosen.status === "active" && allows(mine, permit) : allows(permits, permit)),
  };
  return (
    <Page title={title} intro={intro} acts={sets.data && acts?.(place)}>
      <Shown of={sets}>
        {({ data }) => {
          if (asked === null) {
            const first = data.find(({ primary }) => primary) ?? data.find(({ status }) => status === "active");
            search.set("set", first?.id ?? EVERYBODY);
            return <Navigate to={`${pathname}?${search}`} replace />;
          }
          const choices = data.map(({ id, name, status }): [string, string] => [
            id,
            status === "archived" ? `${name} (archived)` : name,
          ]);
          return (
            <>
              <div className="picture-head">
                <Select
                  label="Picture of"
                  name="set"
                  value={chosen?.id ?? EVERYBODY}
                  options={[...choices, [EVERYBODY, "everybody (outside of all problem sets)"]]}
                  onChange={({ target }) => setSearch({ set: target.value })}
                />
                <nav className="tabs" aria-label="Picture">
                  {PARTS.map(([to, words]) => (
                    <NavLink key={to} to={`${to}${placeQuery(place)}`} end={to === "/picture"}>
                      {words}
                    </NavLink>
                  ))}
                </nav>
              </div>
              {asked !== EVERYBODY && !chosen ? (
                <p className="empty">
                  You are no member of the problem set that this address names. Choose another one above.
                </p>
              ) : (
                children(place)
              )}
            </>
          );
        }}
      </Shown>
    </Page>
  );
}
