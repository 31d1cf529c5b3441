import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { PageOf, Section } from "../../parts/page.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { Removal, RemoveButton } from "../shared/administration/removal.tsx";
import { fieldsOf } from "../shared/schema.ts";
import { Uses } from "../shared/administration/uses.tsx";
import { CLASS_WORDS, duration } from "../shared/words.ts";
import { ChangeTool } from "./change-tool.tsx";
import { HeldBy } from "./held-by.tsx";
import { SwitchOffTool } from "./switch-off.tsx";
import { EFFECTS, kindWords, type Tool } from "./tool-words.ts";

/** One tool: where it leads, how its acts are judged, and which agents have it. */
export function ToolPage(): ReactNode {
  const { toolId = "" } = useParams();
  const tool = useAnswer("GET /admin/tools/{toolId}", [{ path: { toolId } }]);
  return (
    <PageOf of={tool} title="A tool" back={<Link to="/staff/tools">See the other tools</Link>}>
      {({ data }) => (
        <StaffPage title={data.summary} acts={<Acts tool={data} />}>
          <Facts tool={data} />
          <HeldBy tool={data} />
          <AllUses toolId={data.id} />
        </StaffPage>
      )}
    </PageOf>
  );
}

function Acts({ tool }: { tool: Tool }): ReactNode {
  const [open, setOpen] = useState<"change" | "off">();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <button type="button" onClick={() => setOpen("change")}>
        Change it
      </button>
      {tool.status === "enabled" ? (
        <button type="button" onClick={() => setOpen("off")}>
          Switch it off
        </button>
      ) : (
        <SwitchOn tool={tool} />
      )}
      {tool.builtIn ? tool.rev > 0 && <AsItWas tool={tool} /> : <Remove tool={tool} />}
      {open === "change" && <ChangeTool tool={tool} onClose={close} />}
      {open === "off" && <SwitchOffTool tool={tool} onClose={close} />}
    </>
  );
}

function SwitchOn({ tool: { id, rev } }: { tool: Tool }): ReactNode {
  const on = useAct("PUT /admin/tools/{toolId}", { says: "Agents that have it can use it again." });
  return (
    <button
      type="button"
      disabled={on.isPending}
      onClick={() => on.mutate({ path: { toolId: id }, body: { status: "enabled" }, options: ifStill(rev) })}
    >
      Switch it on
    </button>
  );
}

/** Refused where somebody else changed it first. */
const ifStill = (rev: number) => ({ headers: { "if-match": `"r${rev}"` } });

function AsItWas({ tool: { id, rev } }: { tool: Tool }): ReactNode {
  const undo = useAct("DELETE /admin/tools/{toolId}", { says: "It is as it came again." });
  return (
    <button
      type="button"
      disabled={undo.isPending}
      onClick={() => undo.mutate({ path: { toolId: id }, options: ifStill(rev) })}
    >
      As it came
    </button>
  );
}

const Remove = ({ tool }: { tool: Tool }): ReactNode => (
  <RemoveButton>{(close) => <AskRemoval tool={tool} onClose={close} />}</RemoveButton>
);

function AskRemoval({ tool: { id, rev, summary }, onClose }: { tool: Tool; onClose(): void }): ReactNode {
  const navigate = useNavigate();
  const path = { toolId: id };
  const uses = useAnswer("GET /admin/tools/{toolId}/uses", [{ path }]);
  const remove = useAct("DELETE /admin/tools/{toolId}", {
    says: "It is removed.",
    then: () => void navigate("/staff/tools"),
  });
  return (
    <Removal
      name={summary}
      uses={uses}
      isBusy={remove.isPending}
      onRemove={() => remove.mutate({ path, options: ifStill(rev) })}
      onClose={onClose}
    >
      <p>It is gone for good, with the headers that were stored for it. What agents did by it stays on record.</p>
    </Removal>
  );
}

function Facts({ tool }: { tool: Tool }): ReactNode {
  const { id, kind, class: act, effect, timeoutMs, resultBytes, status, reason, http, mcp, action, headers } = tool;
  return (
    <Section title="What it is">
      <dl>
        <dt>State</dt>
        <dd>
          <Badge tone={status === "enabled" ? "good" : "warn"}>{status === "enabled" ? "on" : "off"}</Badge> {reason}
        </dd>
        <dt>Agents call it</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>It leads to</dt>
        <dd>
          {kindWords(kind)}
          {action && (
            <>
              {" "}
              (<code>{action}</code>)
            </>
          )}
          {http && (
            <>
              : {http.method} <code>{http.url}</code>, at {http.hosts.join(", ")} alone
            </>
          )}
          {mcp && (
            <>
              : {mcp.tool} at <code>{mcp.url}</code>
            </>
          )}
        </dd>
        <dt>Such an act is</dt>
        <dd>{CLASS_WORDS[act]}</dd>
        <dt>If it is cut off</dt>
        <dd>{EFFECTS[effect]}</dd>
        <dt>It may take</dt>
        <dd>
          {duration(timeoutMs)}, and answer up to {Math.ceil(resultBytes / 1_024).toLocaleString("en")} KB
        </dd>
        {kind !== "action" && (
          <>
            <dt>Headers</dt>
            <dd>{headers.length ? headers.map(({ name }) => name).join(", ") : "none"}</dd>
          </>
        )}
        {tool.updatedAt && (
          <>
            <dt>Changed</dt>
            <dd>
              <Time at={tool.updatedAt} />
            </dd>
          </>
        )}
      </dl>
      <Given parameters={tool.parameters} />
      {tool.description && (
        <details>
          <summary>More about it</summary>
          <p>{tool.description}</p>
        </details>
      )}
    </Section>
  );
}

function Given({ parameters }: Pick<Tool, "parameters">): ReactNode {
  const fields = fieldsOf(parameters);
  return (
    <details>
      <summary>What the agent gives it</summary>
      {fields.length === 0 && <p>Nothing.</p>}
      <dl>
        {fields.map(({ name, label, hint, isRequired }) => (
          <Value
            key={name}
            label={label}
            words={[isRequired ? "needed" : "if it likes", hint].filter(Boolean).join(". ")}
          />
        ))}
      </dl>
    </details>
  );
}

const Value = ({ label, words }: { label: string; words: string }): ReactNode => (
  <>
    <dt>{label}</dt>
    <dd>{words}</dd>
  </>
);

function AllUses({ toolId }: { toolId: string }): ReactNode {
  const uses = useAnswer("GET /admin/tools/{toolId}/uses", [{ path: { toolId } }]);
  return (
    <Section title="Everything that uses it">
      <Uses of={uses} />
    </Section>
  );
}
