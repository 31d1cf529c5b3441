import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";

/** What can be written into the search, as the platform explains it itself; fetched when it is opened. */
export function QueryLanguage(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How to search: phrases, either, without, in the title, from a source …</summary>
      {isOpen && <Forms />}
    </details>
  );
}

function Forms(): ReactNode {
  const syntax = useAnswer("GET /search/syntax");
  return (
    <Shown of={syntax}>
      {({ data: { summary, forms, rules } }) => (
        <div className="stack">
          <p>{summary}</p>
          <dl className="query-forms">
            {forms.map(({ form, meaning, example }) => (
              <div key={form}>
                <dt>
                  <code>{form}</code>
                </dt>
                <dd>
                  {meaning} <Link to={`/news/articles?${new URLSearchParams({ q: example })}`}>{example}</Link>
                </dd>
              </div>
            ))}
          </dl>
          <ul className="muted">
            {rules
              .filter((rule) => !/\bmeta\.|\bcopies=|\bsort=/.test(rule))
              .map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
          </ul>
        </div>
      )}
    </Shown>
  );
}
