import { useState, type ReactNode } from "react";
import type { Input } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Check, Field, Form, Select } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { useStaffPlace } from "../shared/place.ts";
import { CLASS_WORDS } from "../shared/words.ts";
import type { AgentShown } from "./agent.tsx";

type Given = Input<"POST /agents/{agentId}/delegations">["body"];
type ActClass = NonNullable<Given["classes"]>[number];
const DAY_MS = 86_400_000;
const HARMLESS: readonly string[] = ["observe", "analyse", "draft"];

interface DelegateFormProps {
  agent: AgentShown;
  /** Where it holds; chosen in the form without it. */
  setId?: string | undefined;
  then(): void;
}

/** What the agent may do for the person, where, what it may read, and until when. */
export function DelegateForm({ agent, setId, then }: DelegateFormProps): ReactNode {
  const { sets } = useStaffPlace();
  const fixed = agent.problemSetId ?? setId;
  const [chosen, setChosen] = useState(fixed ?? sets[0]?.id ?? "");
  const place = fixed ?? chosen;
  const tools = useAnswer("GET /agents/tools", [{ query: { limit: 100 } }], { stays: true });
  const give = useAct("POST /agents/{agentId}/delegations", {
    tellsRefusal: false,
    says: `${agent.name} may work for you now.`,
    then,
  });
  return (
    <Shown of={tools}>
      {({ data }) => {
        const own = data.filter(({ name }) => agent.tools.includes(name));
        const classes = Object.keys(CLASS_WORDS).filter((one) => own.some((tool) => tool.class === one)) as ActClass[];
        if (!classes.length) return <p className="empty">It has no tools, so that there is nothing it could do.</p>;
        return (
          <Form
            act="Let it"
            onSubmit={(fields) =>
              give.mutateAsync({
                path: { agentId: agent.id },
                body: {
                  problemSetId: place,
                  classes: classes.filter((one) => fields[`class.${one}`]),
                  grants: Object.keys(fields).flatMap((name) => (name.startsWith("grant.") ? [name.slice(6)] : [])),
                  expiresAt: new Date(Date.now() + Number(fields["days"]) * DAY_MS).toISOString(),
                  ...(fields["calls"] && { limits: { calls: Number(fields["calls"]), tokens: 200_000 } }),
                },
              })
            }
          >
            <p>It acts with your rights, never with more, and what could matter still waits for a person.</p>
            {fixed === undefined && (
              <Select
                label="In"
                name="place"
                value={chosen}
                onChange={({ currentTarget: { value } }) => setChosen(value)}
                options={sets.map(({ id, name }) => [id, name] as const)}
              />
            )}
            <fieldset>
              <legend>What it may do for you</legend>
              {classes.map((one) => (
                <Check
                  key={one}
                  label={CLASS_WORDS[one]!}
                  name={`class.${one}`}
                  defaultChecked={HARMLESS.includes(one)}
                  hint={own
                    .filter((tool) => tool.class === one)
                    .map(({ summary }) => summary)
                    .join("; ")}
                />
              ))}
            </fieldset>
            <Grants setId={place} />
            <Select label="For" name="days" defaultValue="7" options={DAYS} />
            <Field label="At most so many calls (optional)" name="calls" type="number" min={1} max={50} />
          </Form>
        );
      }}
    </Shown>
  );
}

const DAYS = [
  ["1", "a day"],
  ["7", "a week"],
  ["30", "a month"],
  ["89", "three months"],
] as const;

/** Compartments that the person may read, and the agent then too; nothing where the set has none. */
function Grants({ setId }: { setId: string }): ReactNode {
  const { data } = useAnswer("GET /problem-sets/{id}/compartments", [{ path: { id: setId } }], {
    enabled: setId !== "",
  });
  if (!data?.data.length) return null;
  return (
    <fieldset>
      <legend>It may read, of your compartments</legend>
      {data.data.map(({ id, name }) => (
        <Check key={id} label={name} name={`grant.${id}`} />
      ))}
    </fieldset>
  );
}
