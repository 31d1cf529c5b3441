import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useAsOpened } from "../../api/as-opened.ts";
import type { AskOptions } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Empty, Page, PageOf, Section, Shown } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";
import { DOMAINS, type NewsDomain } from "../domains.ts";
import "./sources.css";

/** As many as one answer holds. */
const MOST = 100;
const PLACE = "/news/sources/lists";

/** A list that is there, to be changed. */
export function ListPage(): ReactNode {
  const id = Number(useParams()["id"]);
  const goTo = useNavigate();
  const mayCurate = useMay("lists:curate");
  const list = useAnswer("GET /sources/lists/{id}", [{ path: { id } }]);
  const change = useAct("PUT /sources/lists/{id}", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is changed.`,
    then: () => goTo(PLACE),
  });
  return (
    <PageOf of={list} title="List of sources" back={<Link to={PLACE}>To the lists</Link>}>
      {({ data }) => (
        <Page
          title={`Change ${data.name}`}
          intro={data.active && "It is active: a change counts at once, for everybody."}
        >
          {mayCurate ? (
            <Editor
              known={data}
              onSave={(name, sourceIds, options) =>
                change.mutateAsync({ path: { id }, body: { name, sourceIds }, options })
              }
            />
          ) : (
            <Empty>It holds {many(data.sourceIds.length, "source")}. Analysts can change it.</Empty>
          )}
        </Page>
      )}
    </PageOf>
  );
}

export function NewListPage(): ReactNode {
  const goTo = useNavigate();
  const create = useAct("POST /sources/lists", {
    tellsRefusal: false,
    says: ({ data }) =>
      `${data.name} is made: choose it when you make a briefing. It counts for all that everybody sees once it is activated.`,
    then: () => goTo(PLACE),
  });
  return (
    <Page title="Make a list" intro="Choose the sources that belong together.">
      {useMay("lists:curate") ? (
        <Editor onSave={(name, sourceIds) => create.mutateAsync({ body: { name, sourceIds } })} />
      ) : (
        <Empty>Your account may read the lists. Analysts make them.</Empty>
      )}
    </Page>
  );
}

interface EditorProps {
  known?: { name: string; sourceIds: number[]; rev: number };
  onSave(name: string, sourceIds: number[], options: AskOptions): Promise<unknown>;
}

function Editor({ known, onSave }: EditorProps): ReactNode {
  const { options, inTime } = useAsOpened(known?.rev);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(known?.sourceIds));
  const choose = (ids: readonly number[], isWanted: boolean): void =>
    setChosen(new Set(isWanted ? [...chosen, ...ids] : [...chosen].filter((one) => !ids.includes(one))));
  return (
    <>
      <Picker chosen={chosen} onChoose={choose} />
      <Section title="The list">
        <p role="status">{chosen.size ? `${many(chosen.size, "source")} chosen.` : "No source is chosen yet."}</p>
        <Form act="Save the list" onSubmit={({ name = "" }) => inTime(onSave(name, [...chosen], options))}>
          <Field label="Name of the list" name="name" defaultValue={known?.name} required />
        </Form>
      </Section>
    </>
  );
}

interface PickerProps {
  chosen: ReadonlySet<number>;
  onChoose(ids: readonly number[], isWanted: boolean): void;
}

function Picker({ chosen, onChoose }: PickerProps): ReactNode {
  const [{ q, domain }, setWanted] = useState<{ q?: string; domain?: string }>({});
  const query = {
    sort: "name" as const,
    limit: MOST,
    ...(q && { q }),
    ...(domain && { domain: domain as NewsDomain }),
  };
  const sources = useAnswer("GET /sources", [{ query }], { keepsShown: true });
  return (
    <Section title="Sources">
      <Form act="Find" isInline label="Find sources" onSubmit={setWanted}>
        <Field label="Name of a source" name="q" type="search" />
        <Select label="About" name="domain" options={[["", "everything"], ...DOMAINS]} />
      </Form>
      <Shown of={sources}>
        {({ data, meta }) =>
          data.length ? (
            <>
              <fieldset className="source-picker">
                <legend className="visually-hidden">Sources of the list</legend>
                {data.map(({ id, name, domain }) => (
                  <label key={id} className="check">
                    <input
                      type="checkbox"
                      checked={chosen.has(id)}
                      onChange={({ currentTarget }) => onChoose([id], currentTarget.checked)}
                    />
                    <span>
                      {name} <small className="muted">{domain}</small>
                    </span>
                  </label>
                ))}
              </fieldset>
              <AllShown ids={data.map(({ id }) => id)} chosen={chosen} onChoose={onChoose} />
              {meta.total > data.length && (
                <p className="muted">
                  These are {data.length} of {meta.total}: find the others by name or by what they are about.
                </p>
              )}
            </>
          ) : (
            <p className="empty">No source fits. Follow sources first, or look for another name.</p>
          )
        }
      </Shown>
    </Section>
  );
}

/** Takes all that the search found, or none of them: for a list of everything about one matter. */
function AllShown({ ids, chosen, onChoose }: PickerProps & { ids: readonly number[] }): ReactNode {
  const areAll = ids.every((id) => chosen.has(id));
  return (
    <div className="row">
      <button type="button" onClick={() => onChoose(ids, !areAll)}>
        {areAll ? "Choose none of these" : `Choose all ${ids.length} of these`}
      </button>
    </div>
  );
}
