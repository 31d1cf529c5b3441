import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import type { ListRow } from "../../../api/client.ts";
import { Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { formatWords } from "../documents/document-words.ts";
import { ContainerAgents } from "./container-agents.tsx";
import { TakeOut } from "./take-out.tsx";
import { useContainers, useEnvironment } from "./use-containers.ts";

type Filed = ListRow<"GET /strategic/containers/{containerId}/documents">;
type Row = Pick<Filed, "problemSetId" | "id" | "title" | "compartments" | "format">;

const COLUMNS: readonly Column<Row>[] = [
  {
    head: "Document",
    cell: ({ problemSetId, id, title, compartments }) => (
      <>
        <Link to={`/workspace/${problemSetId}/documents/${id}`}>{title}</Link> <Barrier compartments={compartments} />
      </>
    ),
  },
  { head: "Kind", cell: ({ format }) => formatWords(format) },
];

const PUT_IN: readonly Column<Filed>[] = [
  ...COLUMNS,
  { head: "Put in", cell: ({ placedAt }) => <Time at={placedAt} /> },
];
const actsIn = (containerId: string): Column<Filed> => ({
  head: "Acts",
  isAct: true,
  cell: ({ id, title }) => <TakeOut documentId={id} containerId={containerId} what={title} />,
});

/** The documents of one container, those put in last first. */
export function ContainerPage(): ReactNode {
  const { containerId = "" } = useParams();
  const { maySet } = useSet();
  useEnvironment();
  const container = useContainers().data?.data.find(({ id }) => id === containerId);
  const documents = useAnswer("GET /strategic/containers/{containerId}/documents", [
    { path: { containerId }, query: { page: usePage() } },
  ]);
  return (
    <SetPage title={container?.name ?? "Container"} intro={container?.description} acts={<AllContainers />}>
      <Shown of={documents}>
        {({ data, meta }) => (
          <>
            <Table
              label="Documents in it"
              rows={data}
              keyOf={({ id }) => id}
              columns={maySet("environment:file") ? [...PUT_IN, actsIn(containerId)] : PUT_IN}
              empty="No document is in it yet. On the page of a document you say which containers it is in."
            />
            <Pager meta={meta} />
            <ContainerAgents containerId={containerId} titles={new Map(data.map(({ id, title }) => [id, title]))} />
          </>
        )}
      </Shown>
    </SetPage>
  );
}

const AllContainers = (): ReactNode => <Link to={`/workspace/${useSet().set.id}/containers`}>All containers</Link>;

/** The documents that are in no container which this person sees. */
export function Unorganized(): ReactNode {
  const { set } = useSet();
  useEnvironment();
  const documents = useAnswer("GET /strategic/environments/{envId}/unorganized", [
    { path: { envId: set.id }, query: { page: usePage() } },
  ]);
  return (
    <SetPage
      title="In no container"
      intro="On the page of each you can have containers suggested."
      acts={<AllContainers />}
    >
      <Shown of={documents}>
        {({ data, meta }) => (
          <>
            <Table
              label="Documents in no container"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="Every document that you see is in a container."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </SetPage>
  );
}
