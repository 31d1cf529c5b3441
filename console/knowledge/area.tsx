import { useId, type ComponentType, type ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { Empty, Page, Shown } from "../parts/page.tsx";
import { useMySets, type MySet } from "../app/sets.ts";
import { Tabs } from "../parts/tabs.tsx";
import { HiddenInTraining } from "../app/hidden-in-training.tsx";

const TABS = [
  ["/knowledge", "Graph"],
  ["/knowledge/events", "Events"],
  ["/knowledge/intelligence", "Intelligence"],
  ["/knowledge/likeness", "Same or not"],
  ["/knowledge/feed", "Add to it"],
  ["/knowledge/strategy", "Strategy"],
] as const;

/** The pages on one graph; all of them keep which one it is. */
export function KnowledgeTabs({ setId }: { setId: string | undefined }): ReactNode {
  // Entities and workspaces belong to the graph.
  const isOfGraph = /^\/knowledge\/(entities|workspaces)\b/.test(useLocation().pathname);
  const search = setId ? `?set=${setId}` : "";
  return (
    <Tabs
      label="Knowledge"
      of={TABS.map(([pathname, words], at) => ({
        to: { pathname, search },
        words,
        ...(isOfGraph && at === 0 && { isHere: true }),
      }))}
    />
  );
}

/** The graph that the address names: a problem set's, or without one that of all of them. */
export const useSetId = (): string | undefined => useSearchParams()[0].get("set") ?? undefined;

/** Chooses the graph; the address keeps it. */
export function GraphChoice({ needsOne = false }: { needsOne?: boolean }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const { data } = useMySets();
  const id = useId();
  const setId = search.get("set") ?? "";
  // Stories of the news that another page led here with are the same in all sets; whatever else the address says is not.
  const choose = (chosen: string): void =>
    setSearch([
      ...(chosen ? [["set", chosen] as [string, string]] : []),
      ...search.getAll("story").map((story) => ["story", story] as [string, string]),
    ]);
  return (
    <div className="field graph-choice">
      <label htmlFor={id}>Problem set</label>
      <select id={id} value={setId} onChange={({ target }) => choose(target.value)}>
        <option value="">{needsOne ? "Choose one" : "All of mine together"}</option>
        {data?.data.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
            {one.status === "archived" ? " (archived)" : ""}
          </option>
        ))}
      </select>
    </div>
  );
}

interface OfOneSet {
  title: string;
  intro: string;
  /** At the head of the page, once it is known which set. */
  acts?: ComponentType<{ setId: string }>;
  children(set: MySet): ReactNode;
}

/** A page on one problem set: asks for it where the address names none; the only one that there is needs no choice. */
export function PageOfSet({ title, intro, acts: Acts, children }: OfOneSet): ReactNode {
  const sets = useMySets();
  const asked = useSetId();
  const all = sets.data?.data ?? [];
  const set = asked === undefined && all.length === 1 ? all[0] : all.find(({ id }) => id === asked);
  return (
    <Page title={title} intro={intro} acts={set && Acts && <Acts setId={set.id} />}>
      <KnowledgeTabs setId={set?.id ?? asked} />
      <Shown of={sets}>
        {({ data }) => (
          <>
            {data.length > 1 && <GraphChoice needsOne />}
            {set && children(set)}
            {!set && <NoSet count={data.length} isAsked={asked !== undefined} />}
          </>
        )}
      </Shown>
    </Page>
  );
}

const NoSet = ({ count, isAsked }: { count: number; isAsked: boolean }): ReactNode =>
  count ? (
    <Empty>{isAsked ? "You are not a member of that problem set. Choose another one." : "Choose a problem set."}</Empty>
  ) : (
    <Empty>
      You are not a member of any problem set yet, and every graph belongs to one.{" "}
      <Link to="/workspace">Open a problem set</Link>, or ask somebody to invite you into theirs.
      <HiddenInTraining />
    </Empty>
  );
