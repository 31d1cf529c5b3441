import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { useLive } from "../../../live/live.ts";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { Empty, Page, PageOf, Section, Shown } from "../../../parts/page.tsx";
import { many, Time } from "../../../parts/texts.tsx";
import { KnowledgeTabs } from "../../area.tsx";
import { Glyph } from "../../picture/glyph.tsx";
import { useTitles } from "../../sets.ts";
import { entityAddress } from "../../vocabulary.ts";
import { Overview } from "../overview.tsx";
import { EntityName } from "./entity-name.tsx";
import { WorkspaceDialog } from "./workspace-dialog.tsx";
import { takesIn, workspacesAddress, type GraphWorkspace } from "./workspace-words.ts";

/** One kept part of a graph: as a picture, by kinds, and what it takes in. */
export function WorkspacePage(): ReactNode {
  const { workspaceId = "" } = useParams();
  const workspace = useAnswer("GET /graph/workspaces/{id}", [{ path: { id: workspaceId } }]);
  const setId = workspace.data?.data.problemSetId;
  useLive(setId === undefined ? undefined : { problemSetId: setId }, ["graph.changed"]);
  return (
    <PageOf of={workspace} title="Workspace" back={<Link to="/knowledge/workspaces">All workspaces</Link>}>
      {({ data }) => <Whole workspace={data} />}
    </PageOf>
  );
}

function Whole({ workspace }: { workspace: GraphWorkspace }): ReactNode {
  const { id, name, description, problemSetId, updatedAt, createdByName, createdBy } = workspace;
  const [isOpen, setOpen] = useState(false);
  const mayEdit = useMayIn(problemSetId)("graph:edit");
  return (
    <Page
      title={name}
      intro={description ?? `It takes in ${takesIn(workspace)}.`}
      acts={
        <>
          <Link className="button" to={workspacesAddress(problemSetId)}>
            All workspaces
          </Link>
          {mayEdit && (
            <button type="button" onClick={() => setOpen(true)}>
              Change it
            </button>
          )}
          {mayEdit && <Delete workspace={workspace} />}
        </>
      }
    >
      <KnowledgeTabs setId={problemSetId} />
      <p className="row">
        <small className="muted">
          Kept by {createdByName ?? createdBy}, changed <Time at={updatedAt} />
        </small>
        <BarrierOf {...workspace} />
      </p>
      <Overview setId={problemSetId} workspaceId={id} />
      <div className="columns">
        <ByKinds workspaceId={id} />
        <TakenIn workspace={workspace} />
      </div>
      {isOpen && <WorkspaceDialog setId={problemSetId} workspace={workspace} onClose={() => setOpen(false)} />}
    </Page>
  );
}

function Delete({ workspace: { id, name, problemSetId } }: { workspace: GraphWorkspace }): ReactNode {
  const go = useNavigate();
  const remove = useAct("DELETE /graph/workspaces/{id}", {
    says: `“${name}” is deleted.`,
    then: () => void go(workspacesAddress(problemSetId)),
  });
  return (
    <ConfirmButton
      words="Delete"
      className="danger"
      title={`Delete “${name}”`}
      run={() => remove.mutateAsync({ path: { id } })}
    >
      <p>The workspace is gone for everybody. The graph itself stays as it is.</p>
    </ConfirmButton>
  );
}

const MOST = 500;

/** Everything in it, those that nothing is joined with too. */
function ByKinds({ workspaceId }: { workspaceId: string }): ReactNode {
  const tree = useAnswer("GET /graph/workspaces/{id}/tree", [{ path: { id: workspaceId }, query: { nodes: MOST } }]);
  return (
    <Section title="By kinds">
      <Shown of={tree}>
        {({ data: { children, truncated } }) => (
          <>
            {!children.length && <Empty>Nothing is in it that you may see.</Empty>}
            {children.map(({ type, label, total, children: entities }) => (
              <details key={type}>
                <summary>
                  <Glyph kind={type} /> {label} ({total})
                </summary>
                <ul className="list dense">
                  {entities.map((one) => (
                    <li key={one.id}>
                      <Link to={entityAddress(one.id)}>{one.name}</Link>{" "}
                      <small className="muted">{many(one.degree, "neighbour")}</small>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
            {truncated && <p className="muted">The {MOST} best connected are shown.</p>}
          </>
        )}
      </Shown>
    </Section>
  );
}

function TakenIn({ workspace }: { workspace: GraphWorkspace }): ReactNode {
  const { documentIds, entityIds, problemSetId } = workspace;
  const titles = useTitles(problemSetId);
  return (
    <Section title="What it takes in">
      <p>It takes in {takesIn(workspace)}.</p>
      <ul className="list dense">
        {documentIds.map((id) => (
          <li key={id}>
            <Link to={`/workspace/${problemSetId}/documents/${id}`}>{titles(id)}</Link>
          </li>
        ))}
        {entityIds.map((id) => (
          <li key={id}>
            <Link to={entityAddress(id)}>
              <EntityName id={id} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
