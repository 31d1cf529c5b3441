import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, Select } from "../../parts/form.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { useAdministers } from "../shared/administration/administers.ts";
import { useStaffPlace } from "../shared/place.ts";
import type { Tool } from "./tool-words.ts";

type Agent = ListRow<"GET /admin/agents">;

/** The agents that have a tool, as far as the person sees them. */
export function HeldBy({ tool }: { tool: Tool }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const agents = useAnswer("GET /admin/agents", [{ query: { limit: 100, sort: "name" } }]);
  return (
    <Section
      title="Agents that have it"
      acts={
        tool.status === "enabled" && (
          <button type="button" onClick={() => setOpen(true)}>
            Give it to an agent
          </button>
        )
      }
    >
      <Shown of={agents}>
        {({ data }) => {
          const holders = data.filter(({ tools }) => tools.includes(tool.id));
          return (
            <>
              {holders.length === 0 && <Empty>No agent that you see has it.</Empty>}
              <ul className="list">
                {holders.map((agent) => (
                  <Holder key={agent.id} agent={agent} toolId={tool.id} />
                ))}
              </ul>
              {isOpen && (
                <Give tool={tool} to={data.filter((one) => !holders.includes(one))} onClose={() => setOpen(false)} />
              )}
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

function Holder({ agent: { id, name, problemSetId }, toolId }: { agent: Agent; toolId: string }): ReactNode {
  const { nameOf } = useStaffPlace();
  const mayChange = useAdministers(problemSetId);
  const take = useAct("DELETE /admin/tools/{toolId}/assign/{agentId}", {
    says: `${name} does not have it any more, in runs under way either.`,
  });
  return (
    <li className="row between">
      <span>
        <Link to={`/staff/agents/${id}/setup`}>{name}</Link> <small className="muted">{nameOf(problemSetId)}</small>
      </span>
      {mayChange && (
        <button
          type="button"
          aria-label={`Take it away: ${name}`}
          disabled={take.isPending}
          onClick={() => take.mutate({ path: { toolId, agentId: id } })}
        >
          Take it away
        </button>
      )}
    </li>
  );
}

function Give({ tool, to, onClose }: { tool: Tool; to: readonly Agent[]; onClose(): void }): ReactNode {
  const { nameOf } = useStaffPlace();
  const give = useAct("POST /admin/tools/{toolId}/assign/{agentId}", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} has it from now on.`,
    then: onClose,
  });
  return (
    <Dialog title={`Who gets it: ${tool.summary}`} onClose={onClose}>
      {to.length === 0 ? (
        <Empty>
          There is no other agent. <Link to="/staff/agents/new">Make one</Link>.
        </Empty>
      ) : (
        <Form act="Give it" onSubmit={({ agentId = "" }) => give.mutateAsync({ path: { toolId: tool.id, agentId } })}>
          <Select
            label="Agent"
            name="agentId"
            options={to.map(({ id, name, problemSetId }) => [id, `${name} (${nameOf(problemSetId)})`] as const)}
          />
        </Form>
      )}
    </Dialog>
  );
}
