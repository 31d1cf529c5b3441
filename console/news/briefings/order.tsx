import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { DOMAINS, type NewsDomain } from "../domains.ts";

const SPANS: readonly (readonly [string, string])[] = [
  ["24", "the last day"],
  ["48", "the last two days"],
  ["72", "the last three days"],
  ["168", "the last week"],
  ["720", "the last 30 days"],
];
const SURE: readonly (readonly [string, string])[] = [
  ["0", "all articles"],
  ["0.3", "those with at least 30 % confidence"],
  ["0.5", "those with at least 50 % confidence"],
  ["0.75", "those with at least 75 % confidence"],
];

/** Orders a briefing, and opens its page, which shows how far it is. */
export function OrderDialog({ onClose }: { onClose(): void }): ReactNode {
  const goTo = useNavigate();
  const lists = useAnswer("GET /sources/lists", [{ query: { sort: "name", limit: 100 } }]);
  const order = useAct("POST /briefings/generate", {
    tellsRefusal: false,
    then: ({ data }) => goTo(`/news/briefings/${data.id}`),
  });
  const active = lists.data?.data.find(({ active }) => active);
  const listOptions: (readonly [string, string])[] = [
    ["", active ? `the active list, ${active.name}` : "all"],
    ...(lists.data?.data ?? []).map(({ id, name }) => [String(id), name] as const),
  ];
  return (
    <Dialog title="Make a briefing" onClose={onClose}>
      <Form
        act="Make it"
        onSubmit={({ hours, minConfidence, maxArticles, sourceListId }, form) => {
          const domains = new FormData(form).getAll("domains") as NewsDomain[];
          return order.mutateAsync({
            body: {
              hours: Number(hours),
              minConfidence: Number(minConfidence),
              ...(maxArticles && { maxArticles: Number(maxArticles) }),
              ...(sourceListId && { sourceListId: Number(sourceListId) }),
              ...(domains.length > 0 && { domains }),
            },
          });
        }}
      >
        <Select label="Of what was published in" name="hours" options={SPANS} defaultValue="48" />
        <DomainChoice />
        <Select label="From which sources" name="sourceListId" options={listOptions} />
        <Select label="Which articles" name="minConfidence" options={SURE} />
        <Field
          label="How many articles to read at the most"
          name="maxArticles"
          type="number"
          min={1}
          max={2000}
          defaultValue={1000}
        />
      </Form>
    </Dialog>
  );
}

const DomainChoice = (): ReactNode => (
  <fieldset className="domain-choice">
    <legend>About (all, where none is chosen)</legend>
    {DOMAINS.map((domain) => (
      <label key={domain} className="check">
        <input type="checkbox" name="domains" value={domain} /> {domain}
      </label>
    ))}
  </fieldset>
);
