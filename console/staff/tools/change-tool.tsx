import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, type FormFields } from "../../parts/form.tsx";
import { useAsOpened } from "../../api/as-opened.ts";
import { givenIn } from "./given.ts";
import { atField } from "./refusals.ts";
import { ToolFields } from "./tool-fields.tsx";
import { CLASSES, type Tool } from "./tool-words.ts";

/** Changes a tool: whatever rested on how it was, ends. */
export function ChangeTool({ tool, onClose }: { tool: Tool; onClose(): void }): ReactNode {
  const { id, kind, builtIn, http } = tool;
  const { options, inTime } = useAsOpened(tool.rev);
  const [method, setMethod] = useState(http?.method ?? "GET");
  const save = useAct("PUT /admin/tools/{toolId}", { tellsRefusal: false, says: "It is changed.", then: onClose });
  const change = async (fields: FormFields): Promise<void> => {
    const parts = builtIn ? { class: fields["class"] as Tool["class"] } : givenIn(kind, fields, tool);
    try {
      await inTime(save.mutateAsync({ path: { toolId: id }, body: { ...parts, ...boundsIn(fields) }, options }));
    } catch (error) {
      throw atField(error, kind);
    }
  };
  return (
    <Dialog title={`Change: ${tool.summary}`} onClose={onClose}>
      <Form act="Save" onSubmit={change}>
        <p className="hint">
          Changed, it is another tool: approvals that wait for it end, nobody trusts it by a rule any longer, and runs
          that planned with it do not get it.
        </p>
        {builtIn ? (
          <OwnFields tool={tool} />
        ) : (
          <ToolFields kind={kind} method={method} onMethod={(one) => setMethod(one as "GET" | "POST")} tool={tool} />
        )}
        <Field
          label="It may take, in seconds"
          name="timeoutMs"
          type="number"
          step="any"
          min={0.1}
          max={60}
          required
          defaultValue={tool.timeoutMs / 1_000}
        />
        <Field
          label="It may answer, in KB"
          name="resultBytes"
          type="number"
          step="any"
          min={0.25}
          max={1_024}
          required
          defaultValue={tool.resultBytes / 1_024}
        />
      </Form>
    </Dialog>
  );
}

const boundsIn = ({ timeoutMs, resultBytes }: FormFields) => ({
  timeoutMs: Math.round(Number(timeoutMs) * 1_000),
  resultBytes: Math.round(Number(resultBytes) * 1_024),
});

/** What came with the platform is as its contract says: it can be judged more strictly alone. */
const OwnFields = ({ tool: { class: act, leastClass } }: { tool: Tool }): ReactNode => (
  <Select
    label="What such an act is"
    name="class"
    defaultValue={act}
    hint="It came with the platform: it can be judged more strictly than it came, never less."
    options={CLASSES.slice(CLASSES.findIndex(([one]) => one === leastClass))}
  />
);
