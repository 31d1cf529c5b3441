import type { ReactNode } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Form, Select } from "../../parts/form.tsx";
import { Page, PageOf, Section, Shown } from "../../parts/page.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { placeQuery, usePlace } from "../place.tsx";
import { changesIn, type ChangedPart, type LayerChanges } from "./differences.ts";
import type { WholeLayer } from "./layer-page.tsx";
import { RestoreVersion } from "./versions.tsx";

const MOST_OFFERED = 100;

/** An earlier version of a layer, and what is another in a later one. */
export function VersionPage(): ReactNode {
  const { id = "" } = useParams();
  const layer = useAnswer("GET /cop/layers/{id}", [{ path: { id } }]);
  return (
    <PageOf of={layer} title="Version of a layer" back={<Link to="/picture">To the map</Link>}>
      {({ data }) => <VersionOf layer={data} />}
    </PageOf>
  );
}

function VersionOf({ layer }: { layer: WholeLayer }): ReactNode {
  const { id, name, version: newest, problemSetId } = layer;
  const { place } = usePlace(problemSetId);
  const version = Number(useParams()["version"]);
  const [search, setSearch] = useSearchParams();
  const to = Number(search.get("to")) || newest;
  const of = useAnswer("GET /cop/layers/{id}/versions/{version}", [{ path: { id, version } }]);
  const all = useAnswer("GET /cop/layers/{id}/versions", [{ path: { id }, query: { limit: MOST_OFFERED } }]);
  return (
    <Page title={`Version ${version} of ${name}`}>
      <p>
        <Link to={`/picture/layers/${id}${placeQuery(place)}`}>The layer as it is now</Link>
      </p>
      <Section title="This version">
        <Shown of={of}>
          {({ data: { features, source, by, byName, at } }) => (
            <p>
              {source ? `It follows ${source}` : many(features, "feature")}, by {byName ?? by}, <Time at={at} />.
            </p>
          )}
        </Shown>
        <div className="row">
          <RestoreVersion layer={layer} place={place} version={version} />
        </div>
      </Section>
      <Section title={`What is another in version ${to}`}>
        <Form
          key={to}
          act="Compare"
          isInline
          label="Compare with another version"
          onSubmit={({ to: asked = "" }) => setSearch({ set: search.get("set") ?? "", to: asked })}
        >
          <Select
            label="Compare with version"
            name="to"
            defaultValue={to}
            options={(all.data?.data ?? []).map((one) => String(one.version))}
          />
        </Form>
        <Differences layer={layer} version={version} to={to} />
      </Section>
    </Page>
  );
}

function Differences({
  layer: { id, type },
  version,
  to,
}: {
  layer: WholeLayer;
  version: number;
  to: number;
}): ReactNode {
  const path = { id, version };
  const before = useAnswer("GET /cop/layers/{id}/versions/{version}/spec", [{ path }]);
  const diff = useAnswer("GET /cop/layers/{id}/versions/{version}/diff", [{ path, query: { to } }]);
  return (
    <Shown of={before}>
      {({ data: spec }) => (
        <Shown of={diff}>
          {({ data: { patch } }) =>
            patch.length ? (
              <Changes of={changesIn(spec, patch, type)} />
            ) : (
              <p className="empty">Nothing: the two say the same.</p>
            )
          }
        </Shown>
      )}
    </Shown>
  );
}

const Changes = ({ of: { came, went, changed, rules } }: { of: LayerChanges }): ReactNode => (
  <>
    {rules.length > 0 && <Parts of={rules} />}
    <Names title="Came" of={came} />
    <Names title="Went" of={went} />
    {changed.length > 0 && (
      <>
        <h3>Changed</h3>
        <ul className="list" aria-label="Changed">
          {changed.map(({ id, name, parts }) => (
            <li key={id}>
              <strong>{name}</strong>
              <Parts of={parts} />
            </li>
          ))}
        </ul>
      </>
    )}
    {!came.length && !went.length && !changed.length && !rules.length && <p>Only the order of its features.</p>}
  </>
);

const Names = ({ title, of: names }: { title: string; of: readonly string[] }): ReactNode =>
  names.length > 0 && (
    <>
      <h3>{title}</h3>
      <ul aria-label={title}>
        {names.map((name, at) => (
          // Two may have one name.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>{name}</li>
        ))}
      </ul>
    </>
  );

const Parts = ({ of: parts }: { of: readonly ChangedPart[] }): ReactNode => (
  <dl>
    {parts.map(({ head, before, after }) => (
      <div key={head} className="pair-of-values">
        <dt>{head}</dt>
        <dd>
          <del>{before}</del> → <ins>{after}</ins>
        </dd>
      </div>
    ))}
  </dl>
);
