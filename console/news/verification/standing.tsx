import type { ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { many, Time } from "../../parts/texts.tsx";
import { Trust, TrustScale } from "./trust.tsx";

type Summary = Data<"GET /verification/summary/{contentId}">;
const STATUSES = ["corroborated", "contradicted", "disputed", "unverified"] as const;

/** What to do with the article, in one sentence; then how far it is trusted, by whom, and since when. */
export function Standing({ summary }: { summary: Summary }): ReactNode {
  const { recommendation, score, humanVerdict, bias, sources, claims } = summary;
  return (
    <>
      <p className="recommendation">{recommendation}</p>
      <dl>
        <dt>Confidence</dt>
        <dd>
          <Trust points={score} />
        </dd>
        <dt>Claims</dt>
        <dd>{claims.total === 0 ? "none was looked at yet" : <Counts claims={claims} />}</dd>
        {sources.length > 0 && (
          <>
            <dt>Corroborated by</dt>
            <dd>{sources.join(", ")}</dd>
          </>
        )}
        {bias && (
          <>
            <dt>Language</dt>
            <dd>{bias.summary}</dd>
          </>
        )}
        <dt>Judged by</dt>
        <dd>
          <Judge summary={summary} />
        </dd>
        {humanVerdict?.notes && (
          <>
            <dt>Their notes</dt>
            <dd>{humanVerdict.notes}</dd>
          </>
        )}
      </dl>
      <TrustScale />
    </>
  );
}

const Counts = ({ claims }: { claims: Summary["claims"] }): ReactNode =>
  `${many(claims.total, "claim")}: ${STATUSES.filter((status) => claims[status] > 0)
    .map((status) => `${claims[status]} ${status}`)
    .join(", ")}`;

/** Whose verdict it is: a person's has the last word, then come the model and the rules, or nobody has looked yet. */
function Judge({ summary: { humanVerdict, methods, steps } }: { summary: Summary }): ReactNode {
  const last = Object.values(steps)
    .flatMap((at) => at ?? [])
    .toSorted()
    .at(-1);
  if (humanVerdict)
    return (
      <>
        {humanVerdict.byName ?? humanVerdict.by}, a person, <Time at={humanVerdict.at} />
        {humanVerdict.beforeChange && ", before its outlet changed the text"}
      </>
    );
  if (!last) return "nobody yet: it rests on its source’s record and on how it is written";
  return (
    <>
      {methods.includes("llm")
        ? "rules, and a language model that has to quote its evidence"
        : "rules alone, without a language model"}
      , <Time at={last} />
    </>
  );
}
