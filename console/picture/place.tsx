import type { ReactNode } from "react";
import { Navigate, useLocation, useSearchParams } from "react-router";
import { ReadersOf } from "../app/compartments.tsx";
import { allows, useWho } from "../app/session.tsx";
import { useMayIn, useMySets } from "../app/sets.ts";
import { Select } from "../parts/form.tsx";
import { Page, Shown } from "../parts/page.tsx";
import { Tabs } from "../parts/tabs.tsx";

/** In the address, in place of a problem set: what lies outside of all. */
const EVERYBODY = "everybody";

/** Whose picture is looked at: of a problem set, or of everybody of one's mode. */
export interface PicturePlace {
  /** Absent outside of all problem sets. */
  problemSetId?: string;
  name: string;
  may(permit: string): boolean;
}

/** What an address within the area keeps of the one before: whose picture it is. */
export const placeQuery = ({ problemSetId }: PicturePlace): string => `?set=${problemSetId ?? EVERYBODY}`;
/** The place as the API takes it in queries and bodies. */
export const inPlace = ({ problemSetId }: PicturePlace): { problemSetId?: string } =>
  problemSetId === undefined ? {} : { problemSetId };
/** The same for lists that can be asked for what lies outside of all problem sets, alone. */
export const listedIn = ({ problemSetId }: PicturePlace): { problemSetId: string } | { outside: true } =>
  problemSetId === undefined ? { outside: true } : { problemSetId };
/** A list asked for without a problem set holds those of all; outside means outside. */
export const liesIn =
  ({ problemSetId }: PicturePlace) =>
  (one: { problemSetId?: string }): boolean =>
    one.problemSetId === problemSetId;

/** Who sees a new record: of a problem set all of it, or a compartment; outside of all sets everybody of one's mode. */
export const Readers = ({ place }: { place: PicturePlace }): ReactNode => (
  <ReadersOf problemSetId={place.problemSetId} />
);

const PARTS = [
  ["/picture", "Map", "cop:read"],
  ["/picture/reports", "Reports", "cop:read"],
  ["/picture/upkeep", "Upkeep", "cop:read"],
  ["/picture/resources", "Resources", "resources:read"],
  ["/picture/sensors", "Sensors", "sensors:read"],
  ["/picture/personnel", "Personnel", "personnel:read"],
  ["/picture/discovery", "Devices", "discovery:inspect"],
  ["/picture/edge", "Edge nodes", "edge-sync:read"],
] as const;

/** The place of a problem set, or outside of all, and what this person may do there. */
export function usePlace(problemSetId: string | undefined): {
  sets: ReturnType<typeof useMySets>;
  place: PicturePlace;
} {
  const sets = useMySets();
  const { permits } = useWho();
  const chosen = sets.data?.data.find(({ id }) => id === problemSetId);
  const mayThere = useMayIn(chosen?.id);
  const isOutside = problemSetId === undefined || problemSetId === EVERYBODY;
  return {
    sets,
    place: {
      ...(chosen && { problemSetId: chosen.id }),
      name: chosen?.name ?? "everybody",
      may: isOutside ? (permit) => allows(permits, permit) : mayThere,
    },
  };
}

interface FrameProps {
  title: string;
  intro: string;
  renderActs?(place: PicturePlace): ReactNode;
  children(place: PicturePlace): ReactNode;
}

/** A page of the picture: whose it is, and the ways to its other parts. */
export function PictureFrame({ title, intro, renderActs, children }: FrameProps): ReactNode {
  const [search, setSearch] = useSearchParams();
  const { pathname } = useLocation();
  const asked = search.get("set");
  const { sets, place } = usePlace(asked ?? undefined);
  return (
    <Page title={title} intro={intro} acts={sets.data && renderActs?.(place)}>
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
                  value={place.problemSetId ?? EVERYBODY}
                  options={[...choices, [EVERYBODY, "everybody (no problem set)"]]}
                  onChange={({ target }) => setSearch({ set: target.value })}
                />
                <Tabs
                  label="Picture"
                  of={PARTS.filter(([, , permit]) => place.may(permit)).map(([pathname, words]) => ({
                    to: { pathname, search: placeQuery(place) },
                    words,
                  }))}
                />
              </div>
              {asked !== EVERYBODY && place.problemSetId === undefined ? (
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
