import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Share } from "../../parts/texts.tsx";
import { listedIn, type PicturePlace } from "../place.tsx";
import { keyOf } from "./feature-words.ts";

/** Which record a feature may be, and why; somebody decides. Nothing is said where nothing is guessed. */
export function Linkages({ feature, place }: { feature: string; place: PicturePlace }): ReactNode {
  const pending = useAnswer("GET /cop/linkages/pending", [{ query: { ...listedIn(place), limit: 100 } }]);
  const review = useAct("POST /cop/linkages/{id}/review", {
    says: ({ data }) =>
      data.status === "pending"
        ? `Whether it is ${data.entityName} is open again.`
        : `It is ${data.status === "approved" ? "" : "not "}${data.entityName}.`,
  });
  const approved = useAnswer("GET /cop/linkages/pending", [
    { query: { ...listedIn(place), status: "approved" as const, limit: 100 } },
  ]);
  const isThis = (one: { layerId: string; featureId: string }): boolean =>
    keyOf(one.layerId, one.featureId) === feature;
  const known = (approved.data?.data ?? []).filter(isThis);
  const guesses = (pending.data?.data ?? []).filter(isThis);
  if (!guesses.length && !known.length) return null;
  return (
    <ul className="list" aria-label="What it may be">
      {known.map(({ id, entityType, entityName, reviewedByName }) => (
        <li key={id} className="row between">
          <span>
            It is the {entityType} <strong>{entityName}</strong>, says {reviewedByName ?? "somebody"}.
          </span>
          {place.may("cop:link") && (
            <button
              type="button"
              aria-label={`Take back that it is ${entityName}`}
              disabled={review.isPending}
              onClick={() => review.mutate({ path: { id }, body: { decision: "reopen" } })}
            >
              Take it back
            </button>
          )}
        </li>
      ))}
      {guesses.map(({ id, entityType, entityName, probability, parts }) => (
        <li key={id}>
          It may be the {entityType} <strong>{entityName}</strong>{" "}
          <Share of={probability} label={`How likely it is ${entityName}`} />
          <details>
            <summary>Why</summary>
            <ul>
              {parts.map(({ part, logOdds, why }) => (
                <li key={part}>
                  {logOdds >= 0 ? "For it" : "Against it"}: {why}
                </li>
              ))}
            </ul>
          </details>
          {place.may("cop:link") && (
            <div className="row">
              {(["approve", "reject"] as const).map((decision) => (
                <button
                  key={decision}
                  type="button"
                  aria-label={`${decision === "approve" ? "It is" : "It is not"} ${entityName}`}
                  disabled={review.isPending}
                  onClick={() => review.mutate({ path: { id }, body: { decision } })}
                >
                  {decision === "approve" ? "It is" : "It is not"}
                </button>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
