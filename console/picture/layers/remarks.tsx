import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Check, Form, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import type { PicturePlace } from "../place.tsx";
import type { WholeLayer } from "./layer-page.tsx";

/** What reviewers say of the layer; what blocks must be resolved before it is published. */
export function Remarks({ layer: { id, version }, place }: { layer: WholeLayer; place: PicturePlace }): ReactNode {
  const remarks = useAnswer("GET /cop/layers/{id}/feedback", [{ path: { id }, query: { sort: "-createdAt" } }]);
  const add = useAct("POST /cop/layers/{id}/feedback", { tellsRefusal: false, says: "Your remark stands there." });
  const resolve = useAct("POST /cop/layers/{id}/feedback/{feedbackId}/resolve", { says: "The remark is resolved." });
  return (
    <Section title="Remarks">
      <Shown of={remarks}>
        {({ data }) =>
          data.length ? (
            <ul className="list">
              {data.map(({ id: feedbackId, text, blocking, status, createdAt, createdBy, createdByName, ...one }) => (
                <li key={feedbackId}>
                  <p>
                    {blocking && status === "open" && <Badge tone="bad">blocks</Badge>}{" "}
                    {status === "resolved" && <Badge tone="good">resolved</Badge>} {text}
                  </p>
                  <div className="row">
                    <small className="muted">
                      {createdByName ?? createdBy} on version {one.version}, <Time at={createdAt} />
                    </small>
                    {status === "open" && place.may("cop:review") && (
                      <button
                        type="button"
                        aria-label={`Resolve: ${text}`}
                        onClick={() => resolve.mutate({ path: { id, feedbackId } })}
                      >
                        Resolve
                      </button>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          ) : (
            <p className="empty">Nobody has remarked on it.</p>
          )
        }
      </Shown>
      {place.may("cop:review") && version > 0 && (
        <Form
          act="Remark"
          label="Remark on the layer"
          clears
          onSubmit={({ text = "", blocking }) =>
            add.mutateAsync({ path: { id }, body: { text, blocking: blocking === "on" } })
          }
        >
          <TextField label="What you would say to its author" name="text" rows={2} required />
          <Check label="It must not be published before this is resolved" name="blocking" />
        </Form>
      )}
    </Section>
  );
}
