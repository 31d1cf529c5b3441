import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useLive } from "../../../live/live.ts";
import { Form, Select } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";
import { isUnderWay, type Mission } from "./mission-words.ts";

type Resource = ListRow<"GET /resources">;

const COLUMNS: readonly Column<Resource>[] = [
  {
    head: "Resource",
    cell: ({ id, name, problemSetId }) => <Link to={`/picture/resources/${id}?set=${problemSetId}`}>{name}</Link>,
  },
  { head: "Kind", cell: ({ kind }) => kind },
  {
    head: "Ready",
    cell: ({ readiness, readinessReason }) => (
      <>
        <Badge tone={readiness === "ready" ? "good" : "warn"}>{readiness}</Badge>{" "}
        <small className="muted">{readinessReason}</small>
      </>
    ),
  },
];

const columnsOf = (mission: Mission, mayEdit: boolean): readonly Column<Resource>[] =>
  mayEdit
    ? [...COLUMNS, { head: "Acts", isAct: true, cell: (resource) => <TakeOff resource={resource} mission={mission} /> }]
    : COLUMNS;

/** The boats, vehicles and teams that a mission has. */
export function Assigned({ mission }: { mission: Mission }): ReactNode {
  const { set, maySet } = useSet();
  const mayEdit = maySet("resources:edit");
  useLive({ problemSetId: set.id }, ["register.changed"], undefined, { ops: ["GET /resources"] });
  const resources = useAnswer("GET /resources", [{ query: { missionId: mission.id, sort: "name", limit: 100 } }], {
    keepsShown: true,
  });
  return (
    <Section title="Resources">
      <Shown of={resources}>
        {({ data, meta }) => (
          <>
            <Table
              label="What is assigned to it"
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsOf(mission, mayEdit)}
              empty="Nothing is assigned to it."
            />
            {meta.total > data.length && (
              <p className="muted">{`The first ${data.length} of ${meta.total}, by name.`}</p>
            )}
          </>
        )}
      </Shown>
      {mayEdit && isUnderWay(mission) && <Assign mission={mission} />}
    </Section>
  );
}

function TakeOff({ resource, mission }: { resource: Resource; mission: Mission }): ReactNode {
  const { id, name, missionIds } = resource;
  const takeOff = useAct("PATCH /resources/{id}", { says: `${name} is off the mission.` });
  return (
    <button
      type="button"
      aria-label={`Take off ${name}`}
      disabled={takeOff.isPending}
      onClick={() =>
        takeOff.mutate({ path: { id }, body: { missionIds: missionIds.filter((one) => one !== mission.id) } })
      }
    >
      Take off
    </button>
  );
}

/** The first hundred resources by name that all who see the mission's see, and that it does not have. */
function Assign({ mission: { id: missionId, name, problemSetId, compartments } }: { mission: Mission }): ReactNode {
  const resources = useAnswer("GET /resources", [{ query: { problemSetId, sort: "name", limit: 100 } }]);
  const assign = useAct("PATCH /resources/{id}", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is assigned.`,
  });
  const others =
    resources.data?.data.filter(
      (one) => !one.missionIds.includes(missionId) && compartments.every((id) => one.compartments.includes(id)),
    ) ?? [];
  if (!others.length) return null;
  const wordsOf = ({ id, name, readiness, missionIds }: Resource) =>
    [id, `${name} (${readiness}${missionIds.length ? ", on a mission" : ""})`] as const;
  return (
    <Form
      act="Assign"
      isInline
      label={`Assign a resource to ${name}`}
      onSubmit={({ resourceId = "" }) => {
        const { missionIds = [] } = others.find(({ id }) => id === resourceId) ?? {};
        return assign.mutateAsync({ path: { id: resourceId }, body: { missionIds: [...missionIds, missionId] } });
      }}
    >
      <Select label="Resource" name="resourceId" options={others.map(wordsOf)} required />
    </Form>
  );
}
