import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Form, Select } from "../../../parts/form.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";

interface AgentsProps {
  containerId: string;
  /** Titles of the documents that are shown, by id. */
  titles: ReadonlyMap<string, string>;
}

/** Agents that begin with each document that is put into a container, and what came of it. */
export function ContainerAgents({ containerId, titles }: AgentsProps): ReactNode {
  const { maySet } = useSet();
  const mayShape = maySet("environment:shape");
  const agents = useAnswer("GET /strategic/containers/{containerId}/agents", [{ path: { containerId } }]);
  return (
    <Section title="What is done with its documents">
      <p className="muted">
        Each document that is put in from now on starts these agents, with the powers of whoever puts it in. Documents
        that are here already are not touched.
      </p>
      <Shown of={agents}>
        {({ data }) => (
          <>
            {!data.length && <Empty>No agent begins by itself here.</Empty>}
            <ul className="list">
              {data.map(({ id, name, does, by, byName, at }) => (
                <li key={id} className="row between">
                  <span>
                    <strong>{name}</strong> <span className="muted">{does}</span>
                    <br />
                    <small className="muted">
                      {byName ?? by} had it begin here, <Time at={at} />
                    </small>
                  </span>
                  {mayShape && <StopAgent containerId={containerId} agentId={id} name={name} />}
                </li>
              ))}
            </ul>
            {mayShape && <AddAgent containerId={containerId} known={data.map(({ id }) => id)} />}
            <Runs containerId={containerId} titles={titles} names={new Map(data.map(({ id, name }) => [id, name]))} />
          </>
        )}
      </Shown>
    </Section>
  );
}

interface OneAgent {
  containerId: string;
  agentId: string;
  name: string;
}

function StopAgent({ containerId, agentId, name }: OneAgent): ReactNode {
  const stop = useAct("DELETE /strategic/containers/{containerId}/agents/{agentId}", {
    says: `${name} begins here no longer. What it has begun goes on.`,
  });
  return (
    <button
      type="button"
      aria-label={`No longer: ${name}`}
      disabled={stop.isPending}
      onClick={() => stop.mutate({ path: { containerId, agentId } })}
    >
      No longer
    </button>
  );
}

function AddAgent({ containerId, known }: { containerId: string; known: readonly string[] }): ReactNode {
  const all = useAnswer("GET /strategic/agents", [], { stays: true });
  const add = useAct("POST /strategic/containers/{containerId}/agents", { tellsRefusal: false });
  const others = all.data?.data.filter(({ id }) => !known.includes(id)) ?? [];
  if (!others.length) return null;
  return (
    <Form
      act="Have it begin"
      isInline
      label="Have an agent begin with each document"
      onSubmit={({ agentId = "" }) => add.mutateAsync({ path: { containerId }, body: { agentId } })}
    >
      <Select label="Agent" name="agentId" options={others.map(({ id, name, does }) => [id, `${name}: ${does}`])} />
    </Form>
  );
}

type Begun = ListRow<"GET /strategic/containers/{containerId}/runs">;
const STATES: Readonly<Record<Begun["status"], { words: string; tone: "good" | "info" | "bad" | "warn" }>> = {
  waiting: { words: "waits for its text", tone: "info" },
  started: { words: "begun", tone: "good" },
  refused: { words: "not begun", tone: "warn" },
  unavailable: { words: "not to be had here", tone: "warn" },
  failed: { words: "failed", tone: "bad" },
};
const NEWEST = 10;

interface RunsProps extends AgentsProps {
  names: ReadonlyMap<string, string>;
}

/** The newest of what agents began here, and why something was not. */
function Runs({ containerId, titles, names }: RunsProps): ReactNode {
  const { set } = useSet();
  const runs = useAnswer("GET /strategic/containers/{containerId}/runs", [
    { path: { containerId }, query: { sort: "-createdAt", limit: NEWEST } },
  ]);
  if (!runs.data?.data.length) return null;
  return (
    <>
      <h3>What was begun last</h3>
      <ul className="list" aria-label="What was begun last">
        {runs.data.data.map(({ id, agentId, documentId, status, note, userName, userId, createdAt }) => (
          <li key={id}>
            <Badge tone={STATES[status].tone}>{STATES[status].words}</Badge> {names.get(agentId) ?? agentId} with{" "}
            <Link to={`/workspace/${set.id}/documents/${documentId}`}>{titles.get(documentId) ?? "a document"}</Link>
            {note && `: ${note}`}
            <br />
            <small className="muted">
              {userName ?? userId} put it in, <Time at={createdAt} />
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}
