import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import type { Input } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Field, Form, Select, TextField, type FormFields } from "../../parts/form.tsx";
import { useAsOpened } from "../../api/as-opened.ts";
import { AUTONOMY_WORDS, CLASS_WORDS } from "../shared/words.ts";
import type { AgentShown } from "./agent.tsx";

type Enrolment = Input<"POST /agents">["body"];
type Capability = NonNullable<Enrolment["capabilities"]>[number];

/** What an agent can be good at; with each come its tools. */
const CAPABILITIES: readonly (readonly [Capability, string, string])[] = [
  ["news-reading", "Reading the news", "Finds articles and briefings, and reads them."],
  ["fact-checking", "Checking claims", "Shows what supports or contradicts the claims of articles."],
  ["document-reading", "Reading documents", "Finds documents of the problem set, and reads their text."],
  ["mission-tracking", "Following missions", "Knows how missions stand, and when they are due."],
  ["governance-watch", "Watching gates and votes", "Sees what is open, late, and being voted on."],
  ["messaging", "Writing to members", "Reads and writes the message board of the problem set."],
  ["mission-planning", "Planning missions", "Opens missions and keeps them up to date."],
];

interface AgentDialogProps {
  /** Where a new one works; everywhere without it. */
  setId: string | undefined;
  /** The one to change. */
  agent?: AgentShown;
  onClose(): void;
}

/** Makes an agent, or changes one. */
export function AgentDialog({ setId, agent, onClose }: AgentDialogProps): ReactNode {
  const navigate = useNavigate();
  const make = useAct("POST /agents", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is there. Say now what it may do for you.`,
    then({ data }) {
      onClose();
      void navigate(`/staff/agents/${data.id}`);
    },
  });
  const { options, inTime } = useAsOpened(agent?.rev);
  const change = useAct("PUT /admin/agents/{agentId}", {
    tellsRefusal: false,
    says: "It is changed.",
    then: onClose,
  });
  const save = (fields: FormFields): Promise<unknown> => {
    const body = bodyOf(fields);
    return agent
      ? inTime(
          change.mutateAsync({
            path: { agentId: agent.id },
            body: {
              ...body,
              ...(fields["phases"] && { phases: namesIn(fields, "phase.") as AgentShown["phases"] }),
              description: fields["description"] ?? null,
              character: fields["character"] ?? "",
            },
            options,
          }),
        )
      : make.mutateAsync({ body: { ...body, ...(setId !== undefined && { problemSetId: setId }) } });
  };
  return (
    <Dialog title={agent ? `Change ${agent.name}` : "Make an agent"} onClose={onClose}>
      <Form act={agent ? "Save" : "Make it"} onSubmit={save}>
        <Field label="Name" name="name" defaultValue={agent?.name} required maxLength={120} />
        <Field label="What it is for" name="description" defaultValue={agent?.description} />
        <fieldset>
          <legend>It is good at</legend>
          {CAPABILITIES.map(([id, words, hint]) => (
            <Check
              key={id}
              label={words}
              name={`capability.${id}`}
              hint={hint}
              defaultChecked={agent?.capabilities.includes(id) ?? id === "document-reading"}
            />
          ))}
        </fieldset>
        <MoreTools chosen={agent?.tools ?? []} />
        {agent && <Phases chosen={agent.phases} />}
        <Select
          label="How much is left to it"
          name="autonomy"
          defaultValue={String(agent?.autonomy ?? 1)}
          options={AUTONOMY_WORDS.map((words, level) => [String(level), words] as const)}
          hint="Whatever is chosen: what cannot be undone is always a person's."
        />
        <TextField
          label="Instructions (optional)"
          name="character"
          rows={3}
          defaultValue={agent?.character}
          hint="How it should work, in words; it reads them before each task."
        />
      </Form>
    </Dialog>
  );
}

const namesIn = (fields: FormFields, prefix: string): string[] =>
  Object.keys(fields).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));

const bodyOf = (fields: FormFields) => ({
  name: fields["name"] ?? "",
  ...(fields["description"] && { description: fields["description"] }),
  ...(fields["character"] && { character: fields["character"] }),
  autonomy: Number(fields["autonomy"]),
  capabilities: namesIn(fields, "capability.") as Capability[],
  ...(fields["tools"] !== undefined && { tools: namesIn(fields, "tool.") }),
});

/** In which phases of planning it takes part: told to it before each task. */
function Phases({ chosen }: { chosen: AgentShown["phases"] }): ReactNode {
  const { data } = useAnswer("GET /admin/agent-builder/phases", [], { stays: true });
  return (
    <fieldset>
      <legend>It takes part in</legend>
      {data && <input type="hidden" name="phases" value="chosen" />}
      {data?.data.map(({ id, name }) => (
        <Check key={id} label={name} name={`phase.${id}`} defaultChecked={chosen.includes(id)} />
      ))}
    </fieldset>
  );
}

/** Single tools beside those of its capabilities, for whoever wants to choose them. */
function MoreTools({ chosen }: { chosen: readonly string[] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data } = useAnswer("GET /agents/tools", [{ query: { limit: 100 } }], { enabled: isOpen, stays: true });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Choose single tools</summary>
      {isOpen && data && (
        <fieldset>
          <legend className="visually-hidden">Tools</legend>
          <input type="hidden" name="tools" value="chosen" />
          {data.data.map(({ name, summary, class: kind }) => (
            <Check
              key={name}
              label={summary}
              name={`tool.${name}`}
              hint={CLASS_WORDS[kind]}
              defaultChecked={chosen.includes(name)}
            />
          ))}
        </fieldset>
      )}
    </details>
  );
}
