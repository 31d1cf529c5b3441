import { useState, type ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import type { ListRow } from "../../api/client.ts";
import { fieldsOf, valuesOf } from "../shared/schema.ts";
import { SchemaFields } from "../shared/schema-fields.tsx";
import { CLASS_WORDS } from "../shared/words.ts";
import type { Question } from "./conversation.tsx";

type Tool = ListRow<"GET /agents/tools">;
const READS: readonly string[] = ["observe", "analyse"];

/** What is to be done and with which values: the assistant proposes exactly that, with or without a model. */
export function ActDialog({ ask, onClose }: { ask(question: Question): Promise<unknown>; onClose(): void }): ReactNode {
  const tools = useAnswer("GET /agents/tools", [{ query: { limit: 100 } }], { stays: true });
  return (
    <Dialog title="Have something done" onClose={onClose}>
      <p>Nothing is done yet: the assistant shows you exactly what it would do, and waits for your yes.</p>
      <Shown of={tools}>
        {({ data }) => (
          <ActForm
            tools={data.filter((tool) => !READS.includes(tool.class))}
            ask={async (question) => {
              await ask(question);
              onClose();
            }}
          />
        )}
      </Shown>
    </Dialog>
  );
}

function ActForm({ tools, ask }: { tools: readonly Tool[]; ask(question: Question): Promise<unknown> }): ReactNode {
  const [name, setName] = useState("open_mission");
  const tool = tools.find((one) => one.name === name) ?? tools[0];
  if (!tool) return <p className="empty">There is nothing here that the assistant could be asked to do.</p>;
  const fields = fieldsOf(tool.parameters, ["problemSetId", "compartments"]);
  return (
    <Form
      act="Propose it to me"
      onSubmit={(given) => ask({ text: tool.summary, input: valuesOf(fields, given, "input.") })}
    >
      <div className="field">
        <label htmlFor="act-tool">What</label>
        <select id="act-tool" value={tool.name} onChange={({ currentTarget: { value } }) => setName(value)}>
          {tools.map((one) => (
            <option key={one.name} value={one.name}>
              {one.summary}
            </option>
          ))}
        </select>
        <small className="muted">{CLASS_WORDS[tool.class]}.</small>
      </div>
      <SchemaFields key={tool.name} fields={fields} prefix="input." />
    </Form>
  );
}
