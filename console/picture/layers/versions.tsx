import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { placeQuery, type PicturePlace } from "../place.tsx";
import type { WholeLayer } from "./layer-page.tsx";

/** What the layer was before; an earlier version can be made the newest again. */
export function Versions({ layer, place }: { layer: WholeLayer; place: PicturePlace }): ReactNode {
  const { id, version: newest } = layer;
  const versions = useAnswer("GET /cop/layers/{id}/versions", [{ path: { id }, query: { limit: 20 } }]);
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
                {version !== newest && (
                  <span className="row">
                    <Link
                      to={`/picture/layers/${id}/versions/${version}${placeQuery(place)}`}
                      aria-label={`What changed since version ${version}`}
                    >
                      What changed since
                    </Link>
                    <RestoreVersion layer={layer} place={place} version={version} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Section>
  );
}

/** Makes an earlier version the newest again, where the layer may still be changed. */
export function RestoreVersion({
  layer: { id, version: newest, state, rev },
  place,
  version,
}: {
  layer: WholeLayer;
  place: PicturePlace;
  version: number;
}): ReactNode {
  const restore = useAct("POST /cop/layers/{id}/versions/{version}/restore", {
    says: ({ data }) => `It is version ${data.version} now.`,
  });
  if (version === newest || !(state === "draft" || state === "review") || !place.may("cop:draft")) return null;
  return (
    <button
      type="button"
      aria-label={`Restore version ${version}`}
      disabled={restore.isPending}
      onClick={() => restore.mutate({ path: { id, version }, options: { headers: { "if-match": `"r${rev}"` } } })}
    >
      Restore
    </button>
  );
}
