import { useState, type ReactNode } from "react";
import { addressOf, type Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Field, Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";
import type { MySet } from "../../app/sets.ts";

type Came = Data<"POST /graph/stix">;
interface Bundle {
  type: "bundle";
  objects: Record<string, unknown>[];
}

async function bundleIn(form: HTMLFormElement): Promise<Bundle> {
  const file = new FormData(form).get("bundle");
  if (!(file instanceof File) || !file.size) throw new Error("Choose a file.");
  try {
    return JSON.parse(await file.text()) as Bundle;
  } catch {
    throw new Error(`${file.name} is not JSON, so it is no STIX bundle.`);
  }
}

/** Graphs to and from elsewhere, in the form that others read. */
export function Exchange({ set, mayImport }: { set: MySet; mayImport: boolean }): ReactNode {
  const [came, setCame] = useState<Came>();
  const bring = useAct("POST /graph/stix", { tellsRefusal: false, then: ({ data }) => setCame(data) });
  return (
    <Section
      title="Exchange with others (STIX 2.1)"
      acts={
        <a
          className="button"
          href={addressOf("GET /graph/stix", { query: { problemSetId: set.id } })}
          download={`${set.name}.stix.json`}
        >
          Download this graph
        </a>
      }
    >
      <p className="muted">
        The download holds what you see and nothing else, with the sources. Whoever opens it needs no account here.
      </p>
      {mayImport && (
        <Form
          act="Bring in"
          isInline
          label="Bring a graph in"
          onSubmit={async (_fields, form) =>
            bring.mutateAsync({ body: { problemSetId: set.id, bundle: await bundleIn(form) } })
          }
        >
          <Field label="A STIX bundle from elsewhere" name="bundle" type="file" accept=".json,application/json" />
        </Form>
      )}
      {came && <WhatCame came={came} />}
    </Section>
  );
}

const WhatCame = ({
  came: { imported, unchanged, entities, relations, refused, missing },
}: {
  came: Came;
}): ReactNode => (
  <div role="status">
    <p>
      {many(imported, "object")} came in, {unchanged} {unchanged === 1 ? "was" : "were"} here already:{" "}
      {many(entities, "entity", "entities")}, {many(relations, "relation")}.
    </p>
    {refused.length > 0 && (
      <details open>
        <summary>{many(refused.length, "object")} could not be taken</summary>
        <ul>
          {refused.map(({ index, message }) => (
            <li key={index}>
              Number {index + 1}: {message}
            </li>
          ))}
        </ul>
      </details>
    )}
    {missing.length > 0 && (
      <p className="muted">
        {many(missing.length, "reference leads", "references lead")} to objects that are not here; they join once these
        arrive.
      </p>
    )}
  </div>
);
