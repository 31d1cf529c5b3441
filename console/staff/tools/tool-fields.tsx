import type { ReactNode } from "react";
import { Field, Select, TextField } from "../../parts/form.tsx";
import { Loading } from "../../parts/page.tsx";
import { Arguments } from "./arguments.tsx";
import { useOperations } from "./operations.ts";
import { Secrets } from "./secrets.tsx";
import { CLASSES, EFFECTS, effectsOf, type Tool, type ToolKind } from "./tool-words.ts";

interface ToolFieldsProps {
  kind: ToolKind;
  /** How what it leads to is asked. */
  method: string;
  onMethod(method: string): void;
  /** The one to change. */
  tool?: Tool;
}

/** Where a tool leads, and how its acts are judged, by its kind. */
export function ToolFields({ kind, method, onMethod, tool }: ToolFieldsProps): ReactNode {
  const effects = effectsOf(kind, method);
  return (
    <>
      <Field
        label="What it does"
        name="summary"
        defaultValue={tool?.summary}
        minLength={6}
        maxLength={200}
        required
        hint="One sentence: agents and people choose it by this."
      />
      {kind === "action" && <ActionFields tool={tool} onMethod={onMethod} />}
      {kind === "http" && <HttpFields tool={tool} method={method} onMethod={onMethod} />}
      {kind === "mcp" && <McpFields tool={tool} />}
      <Select
        label="What such an act is"
        name="class"
        defaultValue={
          tool?.class ?? (kind === "action" ? (method === "GET" ? "observe" : "modify-shared") : "communicate-outside")
        }
        key={tool ? "class" : `class ${method}`}
        hint="The further down, the more often a person has to approve it. It is never less than what it leads to."
        options={CLASSES}
      />
      <Select
        label="If it is cut off"
        name="effect"
        key={effects.join()}
        defaultValue={tool && effects.includes(tool.effect) ? tool.effect : effects[0]}
        options={effects.map((effect) => [effect, EFFECTS[effect]] as const)}
      />
    </>
  );
}

interface PartProps {
  tool: Tool | undefined;
}
type Methodical = PartProps & { onMethod(method: string): void };

function ActionFields({ tool, onMethod }: Methodical): ReactNode {
  const { data } = useOperations(true);
  if (!data) return <Loading what="Reading what the platform does" />;
  return (
    <Select
      label="What the platform does"
      name="action"
      defaultValue={tool?.action ?? ""}
      required
      onChange={({ currentTarget: { value } }) => onMethod(data.find(({ id }) => id === value)?.method ?? "GET")}
      options={[["", "choose"], ...data.map(({ id, words }) => [id, words] as const)]}
    />
  );
}

function HttpFields({ tool, method, onMethod }: Methodical & { method: string }): ReactNode {
  const http = tool?.http;
  return (
    <>
      <Select
        label="It asks by"
        name="http.method"
        value={method}
        onChange={({ currentTarget: { value } }) => onMethod(value)}
        options={[
          ["GET", "GET: it reads there"],
          ["POST", "POST: it may change something there"],
        ]}
      />
      <Field
        label="Address"
        name="http.url"
        defaultValue={http?.url}
        required
        maxLength={2_000}
        placeholder="https://things.example.org/v1/{id}"
        hint="{id} stands for the value of that name; other values go behind the address, or into the body."
      />
      <TextField
        label="Other hosts that it may lead on to (optional)"
        name="http.hosts"
        rows={2}
        defaultValue={http?.hosts.filter((host) => host !== hostOf(http.url)).join("\n")}
        hint="One a line. The address’s own host is allowed by itself."
      />
      <Arguments of={tool?.parameters ?? {}} />
      <Secrets of={tool?.headers ?? []} />
    </>
  );
}

const McpFields = ({ tool }: PartProps): ReactNode => (
  <>
    <Field
      label="Address of the server"
      name="mcp.url"
      type="url"
      defaultValue={tool?.mcp?.url}
      required
      maxLength={2_000}
      hint="It is asked at once what its tool takes. If it says something else later, the tool is switched off."
    />
    <Field label="Its name for the tool" name="mcp.tool" defaultValue={tool?.mcp?.tool} required maxLength={200} />
    <Secrets of={tool?.headers ?? []} />
  </>
);

export const hostOf = (url: string): string => {
  const plain = url.replaceAll(/[{}]/g, "");
  return URL.canParse(plain) ? new URL(plain).host : "";
};
