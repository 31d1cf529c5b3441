import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Badge, Time } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";

type Item = ListRow<"GET /problem-sets/{id}/activity">;

/** Where what an item is about has its page, below the set's address or under one of its own. */
const PLACES: Readonly<Record<string, (id: string, setId: string, kind: string) => string>> = {
  member: () => "members",
  gate: (id) => `gates/${id}`,
  mission: (id) => `missions/${id}`,
  workflow: (id) => `missions/${id}`,
  document: (id) => `documents/${id}`,
  review: (id) => `reviews/${id}`,
  unit: () => "units",
  "command-relationship": () => "units",
  direction: () => "direction",
  design: () => "design",
  rfi: (id) => `rfis/${id}`,
  dao: (id) => `dao/${id}`,
  proposal: (id) => `dao/proposals/${id}`,
  objective: (id, _setId, kind) => `/knowledge/strategy/${id}${PAGES_OF_OBJECTIVES[kind] ?? ""}`,
  "graph build": (_id, setId) => `/knowledge?set=${setId}`,
  "OSINT event": (_id, setId) => `/knowledge/events?set=${setId}`,
  "graph workspace": (id) => `/knowledge/workspaces/${id}`,
  "fused-product": (id) => `/knowledge/intelligence/comparisons/${id}`,
  "threat-alert": (_id, setId) => `/knowledge/intelligence/monitors?set=${setId}`,
  "collected-story": (_id, setId) => `/knowledge/intelligence/compare?set=${setId}`,
  "intelligence-cycle": (id) => `/knowledge/intelligence/cycles/${id}`,
  layer: (id, setId) => `/picture/layers/${id}?set=${setId}`,
  device: (id) => `/picture/discovery/devices/${id}`,
  checkpoint: (_id, setId) => `/knowledge/intelligence/cycles?set=${setId}`,
};
/** What is told of an objective stands on one of its pages. */
const PAGES_OF_OBJECTIVES: Readonly<Record<string, string>> = {
  "intent.changed": "/intent",
  "operations.changed": "/operations",
  "risk.assessed": "/risks",
  "risk.reviewed": "/risks",
  "validity.alerted": "/validity",
};
const placeOf = ({ subject, problemSetId, kind }: Item): string | undefined => {
  const place = subject && PLACES[subject.type];
  const to = place && place(subject.id, problemSetId, kind);
  return to?.startsWith("/") ? to : to && `/workspace/${problemSetId}/${to}`;
};

/** What happened, in words, the newest first. */
export function Feed({ items }: { items: readonly Item[] }): ReactNode {
  const names = useCompartmentNames(items.some(({ compartments }) => compartments.length > 0));
  return (
    <ul className="list feed" aria-label="What happened">
      {items.map((item) => (
        <FeedLine key={item.id} item={item} names={names} />
      ))}
    </ul>
  );
}

function FeedLine({ item, names }: { item: Item; names: ReadonlyMap<string, string> }): ReactNode {
  const { summary, by, byName, at, compartments } = item;
  const place = placeOf(item);
  return (
    <li>
      <span>{place ? <Link to={place}>{summary}</Link> : summary}</span>
      <Time at={at} />
      <small className="muted">
        {by.startsWith("system:") ? "the platform" : by.startsWith("dao:") ? "decided by vote" : (byName ?? by)}{" "}
        {compartments.map((id) => (
          <Badge key={id} tone="warn">{`in ${names.get(id) ?? "a compartment"}`}</Badge>
        ))}
      </small>
    </li>
  );
}

/** Names of the compartments that the reader may know; asked only where something lies in one. */
function useCompartmentNames(enabled: boolean): ReadonlyMap<string, string> {
  const { set } = useSet();
  const rows = useAnswer("GET /problem-sets/{id}/compartments", [{ path: { id: set.id }, query: { limit: 100 } }], {
    enabled,
  });
  return new Map(rows.data?.data.map(({ id, name }) => [id, name]));
}
