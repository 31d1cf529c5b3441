import { useEffect, useRef, useState, type ChangeEvent, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { Field, Form, Select } from "../../parts/form.tsx";
import { DOMAINS } from "../domains.ts";
import { BETWEEN, ORDERS, SORTS, TRUST, WHEN, withFilters, type StreamFilters } from "./filters.ts";
import { QueryLanguage } from "./query-language.tsx";

interface FilterFormProps {
  filters: StreamFilters;
  sources: readonly { id: number; name: string }[];
}

/** All in one form; the address keeps what it says. A choice takes effect at once, words when they are sent. */
export function FilterForm({ filters, sources }: FilterFormProps): ReactNode {
  const [search, setSearch] = useSearchParams();
  const place = useFollowing(search);
  const [isBetween, setBetween] = useState(filters.when === BETWEEN);
  const isSearch = filters.q !== "";
  const choose = ({ currentTarget }: ChangeEvent<HTMLSelectElement>): void => currentTarget.form?.requestSubmit();
  const chooseWhen = (event: ChangeEvent<HTMLSelectElement>): void => {
    const chosen = event.currentTarget.value === BETWEEN;
    setBetween(chosen);
    if (!chosen) choose(event);
  };
  return (
    <search className="article-filters" ref={place}>
      <Form
        act="Search"
        isInline
        label="Search and filter articles"
        onSubmit={(fields) => {
          const none = { q: "", domain: "", source: "", when: "", from: "", to: "", trust: "", sort: "", order: "" };
          const given = { ...none, ...fields };
          setSearch(withFilters(search, given.q ? { ...given, trust: "", sort: "" } : { ...given, order: "" }));
        }}
      >
        <Field label="Words" name="q" type="search" defaultValue={filters.q} placeholder="strait closure" />
        <Select
          label="About"
          name="domain"
          defaultValue={filters.domain ?? ""}
          options={[["", "everything"], ...DOMAINS]}
          onChange={choose}
        />
        <Select
          label="Source"
          name="source"
          defaultValue={filters.sourceId ?? ""}
          options={[["", "all sources"], ...sources.map(({ id, name }) => [String(id), name] as const)]}
          onChange={choose}
        />
        <Select
          label="Published"
          name="when"
          defaultValue={filters.when}
          options={[...WHEN.map(([value, words]) => [value, words] as const), [BETWEEN, "between two days …"]]}
          onChange={chooseWhen}
        />
        {isBetween && (
          <>
            <Field label="From" name="from" type="date" defaultValue={filters.from} />
            <Field label="To" name="to" type="date" defaultValue={filters.to} />
          </>
        )}
        {isSearch ? (
          <Select label="Order" name="order" defaultValue={filters.order} options={ORDERS} onChange={choose} />
        ) : (
          <>
            <Select label="Trust" name="trust" defaultValue={filters.trust} options={TRUST} onChange={choose} />
            <Select label="Order" name="sort" defaultValue={filters.sort} options={SORTS} onChange={choose} />
          </>
        )}
      </Form>
      <QueryLanguage />
    </search>
  );
}

/** Fields show what the address says when it changes otherwise than through the form: by links, and by going back. */
function useFollowing(search: URLSearchParams): React.RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    for (const field of place.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]") ?? []) {
      const value = search.get(field.name) ?? "";
      const isChoice = field instanceof HTMLSelectElement && ![...field.options].some((one) => one.value === value);
      if (isChoice) field.selectedIndex = 0;
      else field.value = value;
    }
  }, [search]);
  return place;
}
