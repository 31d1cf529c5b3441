import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useLive } from "../../../live/live.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { listedIn, placeQuery, type PicturePlace } from "../../place.tsx";
import { ResourcesFrame } from "../area.tsx";
import { amount, lasts, whyShort, type SupplyShown } from "./supply-words.ts";
import { SupplyActs } from "./supply-acts.tsx";
import { SupplyDialog } from "./supply-form.tsx";

/** What is used up: how much there is, how long it lasts, and what runs short. */
export function Supplies(): ReactNode {
  const [isAdding, setAdding] = useState(false);
  return (
    <ResourcesFrame
      title="Supplies"
      intro="Fuel, water, blankets, batteries: what is used up, how long it lasts at the present use, and what runs short."
      renderActs={(place) =>
        place.may("resources:edit") && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Add a supply
          </button>
        )
      }
    >
      {(place) => (
        <>
          <Short place={place} />
          <SupplyList place={place} />
          {isAdding && <SupplyDialog place={place} onClose={() => setAdding(false)} />}
        </>
      )}
    </ResourcesFrame>
  );
}

const MOST_SHORT = 20;

/** What runs short, for the longest time first. */
function Short({ place }: { place: PicturePlace }): ReactNode {
  const short = useAnswer("GET /resources/consumables/low-stock", [
    { query: { ...listedIn(place), limit: MOST_SHORT } },
  ]);
  if (!short.data?.data.length) return null;
  return (
    <Section title="Runs short">
      <ul className="list" aria-label="Runs short">
        {short.data.data.map((supply) => (
          <li key={supply.id}>
            <strong>{supply.name}</strong> <Badge tone="bad">{`${amount(supply, supply.level)} left`}</Badge>{" "}
            {whyShort(supply)} <BarrierOf {...supply} />
            <br />
            <small className="muted">
              since <Time at={supply.low?.since} />
            </small>
          </li>
        ))}
      </ul>
      {short.data.meta.total > MOST_SHORT && <p className="muted">More run short: they are marked in the list.</p>}
    </Section>
  );
}

function SupplyList({ place }: { place: PicturePlace }): ReactNode {
  const query = { ...listedIn(place), page: usePage(), sort: "name" as const };
  const supplies = useAnswer("GET /resources/consumables", [{ query }], { keepsShown: true });
  const holders = useAnswer("GET /resources", [{ query: { ...listedIn(place), sort: "name", limit: 100 } }]);
  const names = new Map(holders.data?.data.map(({ id, name }) => [id, name]));
  const { problemSetId } = place;
  useLive(problemSetId === undefined ? undefined : { problemSetId }, ["activity.item"]);
  return (
    <Section title="All supplies">
      <Shown of={supplies}>
        {({ data, meta }) => (
          <>
            <Table
              label="Supplies"
              rows={data}
              keyOf={({ id }) => id}
              columns={
                place.may("resources:report") ? [...columnsIn(place, names), actsIn(place)] : columnsIn(place, names)
              }
              empty={
                place.may("resources:edit")
                  ? "Nothing is counted here yet. Add a supply, and say from where on it is short."
                  : "Nothing is counted here yet. Planners and deputies add supplies."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

const actsIn = (place: PicturePlace): Column<SupplyShown> => ({
  head: "Acts",
  isAct: true,
  cell: (supply) => <SupplyActs place={place} supply={supply} />,
});

const columnsIn = (place: PicturePlace, names: ReadonlyMap<string, string>): readonly Column<SupplyShown>[] => [
  {
    head: "Supply",
    cell: (supply) => (
      <>
        {supply.name} <BarrierOf {...supply} />
        {supply.description && (
          <>
            <br />
            <small className="muted">{supply.description}</small>
          </>
        )}
      </>
    ),
  },
  {
    head: "There is",
    cell: (supply) => (
      <>
        {amount(supply, supply.level)} {supply.low && <Badge tone="bad">short</Badge>}
        {supply.capacity !== undefined && (
          <>
            {" "}
            <meter
              min={0}
              max={supply.capacity || 1}
              value={supply.level}
              aria-label={`${supply.name}: ${amount(supply, supply.level)} of ${amount(supply, supply.capacity)}`}
            />
            <br />
            <small className="muted">room for {amount(supply, supply.capacity)}</small>
          </>
        )}
      </>
    ),
  },
  { head: "Short from", cell: (supply) => amount(supply, supply.minimum) },
  { head: "Lasts", cell: lasts },
  {
    head: "Held by",
    cell: ({ resourceId }) =>
      resourceId ? (
        <Link to={`/picture/resources/${resourceId}${placeQuery(place)}`}>{names.get(resourceId) ?? "a resource"}</Link>
      ) : (
        <span className="muted">not said</span>
      ),
  },
  { head: "Counted", cell: ({ leveledAt }) => <Time at={leveledAt} /> },
];
