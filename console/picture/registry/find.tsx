import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { Data, Input, ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Field, Form, Select, type FormFields } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { many } from "../../parts/texts.tsx";
import { LocationFields, locationOf } from "../location-fields.tsx";
import { inDegrees } from "../map/positions.ts";
import { listedIn, type PicturePlace } from "../place.tsx";
import { ResourcesFrame } from "../resources/area.tsx";
import { KINDS, READINESS } from "../resources/resource-form.tsx";
import { resourceColumns } from "../resources/resources.tsx";

type Asked = NonNullable<Input<"GET /resources/registry/search">["query"]>;
type FoundResource = ListRow<"GET /resources/registry/search">;
type CapabilityCategory = Data<"GET /resources/registry/capabilities">[number];
const KM = 1_000;

/** Finds resources by what they can do, by words and by how near they are. */
export const FindResources = (): ReactNode => (
  <ResourcesFrame title="Find resources" intro="Which resource can do what you need, how ready it is, and how near.">
    {(place) => <Finding place={place} />}
  </ResourcesFrame>
);

function Finding({ place }: { place: PicturePlace }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const capabilities = useAnswer("GET /resources/registry/capabilities", [], { stays: true });
  const said = Object.fromEntries(search);
  /** A place in the address is one of the map, with kilometres around it. */
  function ask({ ...fields }: FormFields): void {
    if (fields["within"] && !locationOf(fields)) throw new Error("Say near which place: its latitude and longitude.");
    setSearch({ ...fields, set: search.get("set") ?? "" });
  }
  return (
    <>
      <Counts place={place} />
      <Form key={search.toString()} act="Find" label="Find resources" onSubmit={ask}>
        <div className="two">
          <Field
            label="Words"
            name="q"
            type="search"
            hint="Of name, number, kind and description."
            defaultValue={said["q"] ?? ""}
          />
          <Select
            label="It can do"
            name="capability"
            defaultValue={said["capability"] ?? ""}
            options={[["", "anything"], ...(capabilities.data?.data ?? []).flatMap((one) => inTree(one))]}
          />
          <Select
            label="Ready"
            name="readiness"
            defaultValue={said["readiness"] ?? ""}
            options={[["", "any"], ...READINESS]}
          />
          <Select label="Kind" name="kind" defaultValue={said["kind"] ?? ""} options={[["", "any"], ...KINDS]} />
        </div>
        <details open={Boolean(said["within"])}>
          <summary>Near a place</summary>
          <Field
            label="Within … km"
            name="within"
            type="number"
            step="any"
            min={0.1}
            defaultValue={said["within"] ?? ""}
          />
          <LocationFields {...nearIn(said)} />
        </details>
      </Form>
      <Found place={place} said={said} />
    </>
  );
}

const nearIn = ({ latitude, longitude }: FormFields): { location?: { latitude: number; longitude: number } } =>
  latitude && longitude ? { location: { latitude: Number(latitude), longitude: Number(longitude) } } : {};

/** A capability and those below it, each further in. */
const inTree = ({ code, name, children = [] }: CapabilityCategory, depth = 0): (readonly [string, string])[] => [
  [code, `${"  ".repeat(depth)}${name}`],
  ...children.flatMap((one) => inTree(one, depth + 1)),
];

function askedBy({ q, capability, readiness, kind, within, latitude, longitude }: FormFields): Asked {
  return {
    ...(q && { q }),
    ...(capability && { capability: capability as NonNullable<Asked["capability"]> }),
    ...(readiness && { readiness: readiness as NonNullable<Asked["readiness"]> }),
    ...(kind && { kind: kind as NonNullable<Asked["kind"]> }),
    ...(within && latitude && longitude && { near: `${longitude},${latitude},${Number(within) * KM}` }),
  };
}

function Found({ place, said }: { place: PicturePlace; said: FormFields }): ReactNode {
  const page = usePage();
  const found = useAnswer(
    "GET /resources/registry/search",
    [{ query: { ...listedIn(place), ...askedBy(said), sort: "name", page } }],
    { keepsShown: true },
  );
  return (
    <Shown of={found}>
      {({ data, meta }) => (
        <>
          <Table
            label="Found"
            rows={data}
            keyOf={({ id }) => id}
            columns={columnsOf(place)}
            empty="No resource fits. Ask for less, or for what lies farther away."
          />
          <Pager meta={meta} />
        </>
      )}
    </Shown>
  );
}

const columnsOf = (place: PicturePlace): readonly Column<FoundResource>[] => [
  ...resourceColumns(place),
  {
    head: "Can do",
    cell: ({ capabilities }) =>
      capabilities.map((code) => code.replaceAll(".", ": ").replaceAll("-", " ")).join(", ") || (
        <span className="muted">not said</span>
      ),
  },
  {
    head: "Place",
    cell: ({ location }) =>
      location ? inDegrees([location.longitude, location.latitude]) : <span className="muted">not known</span>,
  },
];

/** How many there are, and how ready; of a problem set alone. */
function Counts({ place: { problemSetId } }: { place: PicturePlace }): ReactNode {
  const stats = useAnswer("GET /resources/registry/stats", [{ query: { problemSetId: problemSetId ?? "" } }], {
    enabled: problemSetId !== undefined,
  });
  if (problemSetId === undefined) return null;
  return (
    <Section title="What there is">
      <Shown of={stats}>
        {({ data: { total, registered, located, byReadiness } }) => (
          <p>
            {many(total, "resource")}
            {total > 0 &&
              `: ${READINESS.filter((one) => byReadiness[one])
                .map((one) => `${byReadiness[one]!.toLocaleString("en")} ${one}`)
                .join(", ")}`}
            . {many(located, "has", "have")} a place that is known, {many(registered, "stands", "stand")} under a DID.
          </p>
        )}
      </Shown>
    </Section>
  );
}
