import type { ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Data, ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useLive } from "../../../live/live.ts";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { Form, Select } from "../../../parts/form.tsx";
import { Page, PageOf, Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { many, Time } from "../../../parts/texts.tsx";
import { HearRegister } from "../area.tsx";
import { listedIn, placeQuery, usePlace, type PicturePlace } from "../../place.tsx";
import { resourceColumns } from "../resources.tsx";

type WholeGroup = Data<"GET /resources/groups/{groupId}">;
type Member = ListRow<"GET /resources/groups/{groupId}/members">;

/** One group: what belongs to it, and how ready it is. */
export function GroupPage(): ReactNode {
  const { groupId = "" } = useParams();
  const group = useAnswer("GET /resources/groups/{groupId}", [{ path: { groupId } }]);
  return (
    <PageOf of={group} title="Group of resources" back={<Link to="/picture/resources/groups">To the groups</Link>}>
      {({ data }) => <Group group={data} />}
    </PageOf>
  );
}

function Group({ group }: { group: WholeGroup }): ReactNode {
  const { id, name, description, problemSetId, compartments } = group;
  const { place } = usePlace(problemSetId);
  useLive(problemSetId === undefined ? undefined : { problemSetId }, ["activity.item"]);
  const go = useNavigate();
  const remove = useAct("DELETE /resources/groups/{groupId}", {
    says: `${name} is gone; what belonged to it stays.`,
    then: () => void go(`/picture/resources/groups${placeQuery(place)}`),
  });
  const mayEdit = place.may("resources:edit");
  return (
    <Page
      title={name}
      intro={description}
      acts={
        mayEdit && (
          <ConfirmButton
            words="Dissolve the group"
            className="danger"
            title={`Dissolve ${name}?`}
            act="Dissolve"
            run={() => remove.mutateAsync({ path: { groupId: id } })}
          >
            <p>What belongs to it stays where it is; only the group goes.</p>
          </ConfirmButton>
        )
      }
    >
      <HearRegister {...place} />
      <p>
        <Link to={`/picture/resources/groups${placeQuery(place)}`}>All groups</Link>{" "}
        <BarrierOf problemSetId={problemSetId} compartments={compartments} />
      </p>
      <Members group={group} place={place} mayEdit={mayEdit} />
    </Page>
  );
}

interface MembersProps {
  group: WholeGroup;
  place: PicturePlace;
  mayEdit: boolean;
}

function Members({ group, place, mayEdit }: MembersProps): ReactNode {
  const { id: groupId, name } = group;
  const members = useAnswer("GET /resources/groups/{groupId}/members", [
    { path: { groupId }, query: { page: usePage(), limit: 50 } },
  ]);
  return (
    <Section title="What belongs to it">
      <Shown of={members}>
        {({ data, meta }) => (
          <>
            {data.length > 0 && <p>{readyWords(data, meta.total)}</p>}
            <Table
              label={`What belongs to ${name}`}
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsIn(place, mayEdit ? groupId : undefined)}
              empty="Nothing that you see belongs to it yet."
            />
            <Pager meta={meta} />
            {mayEdit && <AddMember group={group} place={place} members={data} />}
          </>
        )}
      </Shown>
    </Section>
  );
}

function readyWords(members: readonly Member[], total: number): string {
  const ready = members.filter(({ readiness }) => readiness === "ready").length;
  return total > members.length
    ? `${many(total, "resource")}; of those on this page ${ready} ready.`
    : `${ready} of ${many(total, "resource")} ready.`;
}

const columnsIn = (place: PicturePlace, groupId: string | undefined): readonly Column<Member>[] => [
  ...resourceColumns(place),
  { head: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ...(groupId === undefined
    ? []
    : [{ head: "Acts", isAct: true, cell: (member: Member) => <TakeOut groupId={groupId} member={member} /> }]),
];

function TakeOut({ groupId, member: { id, name } }: { groupId: string; member: Member }): ReactNode {
  const takeOut = useAct("DELETE /resources/groups/{groupId}/members/{resourceId}", { says: `${name} is out.` });
  return (
    <button
      type="button"
      aria-label={`Take out ${name}`}
      disabled={takeOut.isPending}
      onClick={() => takeOut.mutate({ path: { groupId, resourceId: id } })}
    >
      Take out
    </button>
  );
}

/** The first hundred resources by name that are not in it yet. */
function AddMember({
  group: { id: groupId, name },
  place,
  members,
}: Pick<MembersProps, "group" | "place"> & { members: readonly Member[] }): ReactNode {
  const resources = useAnswer("GET /resources", [{ query: { ...listedIn(place), sort: "name", limit: 100 } }]);
  const add = useAct("POST /resources/groups/{groupId}/members", { tellsRefusal: false });
  const known = new Set(members.map(({ id }) => id));
  const others = resources.data?.data.filter(({ id }) => !known.has(id)) ?? [];
  if (!others.length)
    return resources.data ? (
      <p className="muted">
        Every resource that you see here belongs to it.{" "}
        <Link to={`/picture/resources${placeQuery(place)}`}>Add another resource</Link>
      </p>
    ) : null;
  return (
    <Form
      act="Add"
      isInline
      label={`Add a resource to ${name}`}
      onSubmit={({ resourceId = "" }) => add.mutateAsync({ path: { groupId }, body: { resourceId } })}
    >
      <Select label="Resource" name="resourceId" options={others.map((one) => [one.id, one.name] as const)} />
    </Form>
  );
}
