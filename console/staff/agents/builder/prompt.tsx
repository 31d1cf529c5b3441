import { useState, type ReactNode } from "react";
import type { Data } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { TextField } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Badge, many } from "../../../parts/texts.tsx";
import { spelled } from "../../shared/words.ts";
import type { Enrolment } from "./draft.ts";

type Preview = Data<"POST /admin/agent-builder/preview-prompt">;

const PARTS: Readonly<Record<string, string>> = {
  rules: "The rules of every agent",
  character: "Its instructions",
  phases: "Where it takes part",
  quoting: "How it treats texts by others",
  tools: "Its tools",
  form: "How it answers",
};
const ORIGINS: Readonly<Record<string, string>> = {
  agent: "yours",
  template: "its template’s",
  platform: "the platform’s",
  installation: "from its tools",
};
const SPEAKERS = { system: "The platform says", user: "The person says", assistant: "It answers" } as const;

/** What the model would be sent first, to the letter, with a task to see it by. */
export function Prompt({ body }: { body: Enrolment }): ReactNode {
  const [task, setTask] = useState("");
  const given = { ...body, ...(task.trim() && { task: task.trim() }) };
  const preview = useAnswer("POST /admin/agent-builder/preview-prompt", [{ body: given }], { keepsShown: true });
  return (
    <Section title="What its model is told">
      <p className="muted">This is what it gets before its first act. What follows are the answers of its tools.</p>
      <div className="draft">
        <TextField
          label="A task to see it by (optional)"
          name="task"
          rows={2}
          maxLength={2_000}
          value={task}
          onChange={({ currentTarget: { value } }) => setTask(value)}
        />
      </div>
      <Shown of={preview}>{({ data }) => <Told {...data} />}</Shown>
    </Section>
  );
}

function Told({ sections, messages, tools, blanks, tokens }: Preview): ReactNode {
  return (
    <>
      {sections.map(({ name, origin, text, tokens: length }) => (
        <details key={name} open={name === "character"}>
          <summary>
            {PARTS[name] ?? spelled(name)} <Badge>{ORIGINS[origin] ?? origin}</Badge>{" "}
            <small className="muted">{many(length, "token")}</small>
          </summary>
          <p className="pre">{text}</p>
        </details>
      ))}
      <details>
        <summary>All of it, as it is sent</summary>
        {messages.map(({ role, content }, at) => (
          // Messages have no ids, and stay in their order.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={at}>
            <h3>{SPEAKERS[role]}</h3>
            <p className="pre">{content}</p>
          </div>
        ))}
        {tools.length > 0 && <p className="muted">Beside it, {many(tools.length, "tool")} are described to it.</p>}
      </details>
      <dl>
        <dt>Length</dt>
        <dd>about {many(tokens, "token")}, asked anew with each act</dd>
        {blanks.map(({ name, placeholder, meaning }) => (
          <Blank key={name} placeholder={placeholder} meaning={meaning} />
        ))}
      </dl>
    </>
  );
}

const Blank = ({ placeholder, meaning }: { placeholder: string; meaning: string }): ReactNode => (
  <>
    <dt>
      <code>{placeholder}</code>
    </dt>
    <dd>{meaning}</dd>
  </>
);
