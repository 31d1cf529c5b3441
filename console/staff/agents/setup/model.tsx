import { useState, type ReactNode } from "react";
import type { Data, Input } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { ModelWords } from "../model-words.tsx";
import { ModelDialog } from "./model-dialog.tsx";
import type { SetupProps } from "./setup.tsx";

export type ModelTold = Data<"GET /admin/agents/{agentId}/model-config">;
export type ModelGiven = NonNullable<Input<"PUT /admin/agents/{agentId}/model-config">["body"]>;
type Source = ModelTold["sources"][string];

const SOURCES: Readonly<Record<Source, string>> = {
  agent: "its own",
  template: "its template’s",
  platform: "the platform’s",
};

const amount = (value: number | undefined): string | undefined => value?.toLocaleString("en");
/** Each setting, with the field that says where it comes from, and what it is where nobody set it. */
const ROWS: readonly (readonly [
  words: string,
  source: string,
  none: string,
  of: (value: ModelGiven) => string | undefined,
])[] = [
  ["Model", "model", "none is connected", ({ model }) => model],
  ["Longest answer, in tokens", "maxTokens", "as the platform has it", ({ maxTokens }) => amount(maxTokens)],
  ["How freely it answers", "temperature", "as the platform has it", ({ temperature }) => amount(temperature)],
  ["Most acts of a run", "budget", "as the platform has it", ({ budget }) => amount(budget?.calls)],
  ["Most tokens of a run", "budget", "as the platform has it", ({ budget }) => amount(budget?.tokens)],
  ["Most that a run costs", "budget", "no limit", ({ budget }) => amount(budget?.cost)],
  ["Price of a million tokens read", "priceIn", "nobody has said", ({ priceIn }) => amount(priceIn)],
  ["Price of a million tokens written", "priceOut", "nobody has said", ({ priceOut }) => amount(priceOut)],
];

/** Which model an agent asks, within which limits, and who set what. */
export function ModelSettings({ agent: { id, name }, mayChange }: SetupProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const path = { agentId: id };
  const told = useAnswer("GET /admin/agents/{agentId}/model-config", [{ path }]);
  const models = useAnswer("GET /admin/llm-models", [], { stays: true });
  const clear = useAct("DELETE /admin/agents/{agentId}/model-config", { says: "It has none of its own any more." });
  const data = told.data?.data;
  const hasOwn = data !== undefined && Object.values(data.sources).includes("agent");
  return (
    <Section
      title="Model and limits"
      acts={
        mayChange &&
        data && (
          <>
            <button type="button" onClick={() => setOpen(true)}>
              Change model and limits
            </button>
            {hasOwn && (
              <ConfirmButton
                words="Take its own away"
                title={`Take away what ${name} has of its own?`}
                run={() => clear.mutateAsync({ path })}
              >
                <p>Model and limits are those of its template again, and where that says nothing, the platform’s.</p>
              </ConfirmButton>
            )}
          </>
        )
      }
    >
      {models.data && <ModelWords {...models.data} />}
      <Shown of={told}>
        {({ data: { value, sources } }) => (
          <dl>
            {ROWS.map(([words, source, none, of]) => (
              <Row key={words} words={words} value={of(value)} none={none} source={sources[source]} />
            ))}
          </dl>
        )}
      </Shown>
      {isOpen && data && <ModelDialog of={data} agentId={id} name={name} onClose={() => setOpen(false)} />}
    </Section>
  );
}

interface RowProps {
  words: string;
  value: string | undefined;
  none: string;
  source: Source | undefined;
}

const Row = ({ words, value, none, source }: RowProps): ReactNode => (
  <>
    <dt>{words}</dt>
    <dd>
      {value ?? <span className="muted">{none}</span>}
      {value !== undefined && source && <small className="muted"> ({SOURCES[source]})</small>}
    </dd>
  </>
);
