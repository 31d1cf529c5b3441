import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { many, Time } from "../../parts/texts.tsx";
import type { PicturePlace } from "../place.tsx";
import type { WholeLayer } from "./layer-page.tsx";

/** What the layer was before; an earlier version can be made the newest again. */
export function Versions({
  layer: { id, version: newest, state, rev },
  place,
}: {
  layer: WholeLayer;
  place: PicturePlace;
}): ReactNode {
  const versions = useAnswer("GET /cop/layers/{id}/versions", [{ path: { id }, query: { limit: 20 } }]);
  const restore = useAct("POST /cop/layers/{id}/versions/{version}/restore", {
    says: ({ data }) => `It is version ${data.version} now.`,
  });
  const mayRestore = (state === "draft" || state === "review") && place.may("cop:draft");
  return (
    <Section title="Versions">
      <Shown of={versions}>
        {({ data }) => (
          <ul className="list">
            {data.map(({ version, features, source, byName, by, at }) => (
              <li key={version} className="row between">
                <span>
                  <strong>{version}</strong> {source ? `follows ${source}` : many(features, "feature")}
                  <small className="muted">
                    {" "}
                    {byName ?? by}, <Time at={at} />
                  </small>
                </span>
                {mayRestore && version !== newest && (
                  <button
                    type="button"
                    aria-label={`Restore version ${version}`}
                    disabled={restore.isPending}
                    onClick={() =>
                      restore.mutate({ path: { id, version }, options: { headers: { "if-match": `"r${rev}"` } } })
                    }
                  >
                    Restore
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Section>
  );
}
