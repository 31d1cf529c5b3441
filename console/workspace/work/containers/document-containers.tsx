import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Form, Select } from "../../../parts/form.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { useSet } from "../../set/use-set.tsx";
import { TakeOut } from "./take-out.tsx";
import { useContainers } from "./use-containers.ts";

type Suggested = Data<"POST /strategic/documents/{documentId}/suggest-containers">;
type Suggestion = Suggested["suggestions"][number];

/** The containers that a document is in, others to put it into, and those that its words speak for. */
export function DocumentContainers({ documentId }: { documentId: string }): ReactNode {
  const { set, maySet } = useSet();
  const containers = useContainers();
  const within = useAnswer("GET /strategic/documents/{documentId}/containers", [{ path: { documentId } }]);
  const mayFile = maySet("environment:file");
  const put = useAct("PUT /strategic/documents/{documentId}/containers", { tellsRefusal: false });
  if (!containers.data) return null;
  if (!containers.data.data.length) return maySet("environment:shape") && <NoneYet setId={set.id} />;
  return (
    <Section title="Containers">
      <Shown of={within}>
        {({ data: held }) => {
          const ids = held.map(({ id }) => id);
          const others = containers.data.data.filter(({ id }) => !ids.includes(id));
          const file = (containerId: string): Promise<unknown> =>
            put.mutateAsync({ path: { documentId }, body: { containerIds: [...ids, containerId] } });
          return (
            <>
              {!held.length && <Empty>It is in none yet.</Empty>}
              <ul className="list">
                {held.map(({ id, name }) => (
                  <li key={id} className="row between">
                    <Link to={`/workspace/${set.id}/containers/${id}`}>{name}</Link>
                    {mayFile && <TakeOut documentId={documentId} containerId={id} what={name} />}
                  </li>
                ))}
              </ul>
              {mayFile && others.length > 0 && (
                <>
                  <Form
                    act="Put it in"
                    isInline
                    label="Put it into a container"
                    onSubmit={({ containerId = "" }) => file(containerId)}
                  >
                    <Select
                      label="Container"
                      name="containerId"
                      options={others.map(({ id, name }) => [id, name] as const)}
                    />
                  </Form>
                  <Suggestions documentId={documentId} held={ids} file={file} />
                </>
              )}
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

const NoneYet = ({ setId }: { setId: string }): ReactNode => (
  <Section title="Containers">
    <Empty>
      This problem set has no containers. They group documents by what they are about:{" "}
      <Link to={`/workspace/${setId}/containers`}>add one</Link>.
    </Empty>
  </Section>
);

interface SuggestionsProps {
  documentId: string;
  held: readonly string[];
  file(containerId: string): Promise<unknown>;
}

function Suggestions({ documentId, held, file }: SuggestionsProps): ReactNode {
  const [made, setMade] = useState<Suggested>();
  const suggest = useAct("POST /strategic/documents/{documentId}/suggest-containers", {
    then: ({ data }) => setMade(data),
  });
  const open = made?.suggestions.filter(({ containerId }) => !held.includes(containerId)) ?? [];
  const without = (containerId: string): void =>
    setMade((now) => now && { ...now, suggestions: now.suggestions.filter((one) => one.containerId !== containerId) });
  return (
    <>
      <div>
        <button
          type="button"
          disabled={suggest.isPending}
          onClick={() => suggest.mutate({ path: { documentId }, body: {} })}
        >
          Suggest where it belongs
        </button>
      </div>
      <div role="status">
        {made && made.status !== "ready" && <p>Its text is still being read in: ask again in a moment.</p>}
        {made?.status === "ready" && !open.length && <p>Nothing more speaks for one of the others.</p>}
      </div>
      {open.length > 0 && (
        <ul className="list" aria-label="Suggested containers">
          {open.map((one) => (
            <SuggestionLine
              key={one.containerId}
              suggestion={one}
              documentId={documentId}
              file={file}
              onRefused={() => without(one.containerId)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface SuggestionLineProps {
  suggestion: Suggestion;
  documentId: string;
  file(containerId: string): Promise<unknown>;
  onRefused(): void;
}

/** What speaks for a container; a no is remembered, for this document and for those like it. */
function SuggestionLine({ suggestion, documentId, file, onRefused }: SuggestionLineProps): ReactNode {
  const { containerId, name, contributions } = suggestion;
  const refuse = useAct("POST /strategic/documents/{documentId}/suggest-containers/{containerId}/refuse", {
    says: `${name} is not suggested for it again.`,
    then: onRefused,
  });
  return (
    <li className="row between">
      <span>
        <strong>{name}</strong> <small className="muted">{contributions.map(({ reason }) => reason).join(" ")}</small>
      </span>
      <span className="row">
        <button type="button" aria-label={`Put it in: ${name}`} onClick={() => void file(containerId)}>
          Put it in
        </button>
        <button
          type="button"
          aria-label={`Not this one: ${name}`}
          disabled={refuse.isPending}
          onClick={() => refuse.mutate({ path: { documentId, containerId }, body: {} })}
        >
          Not this one
        </button>
      </span>
    </li>
  );
}
