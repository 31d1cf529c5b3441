import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Empty, Page, Section, Shown } from "../../parts/page.tsx";
import { useLive } from "../../live/live.ts";
import { GraphChoice, KnowledgeTabs } from "../area.tsx";
import { useMySets } from "../../app/sets.ts";
import { useTitles } from "../sets.ts";
import { KINDS, type EntityKind } from "../vocabulary.ts";
import { Beginnings } from "./beginnings.tsx";
import { Found } from "./found.tsx";
import { Overview } from "./overview.tsx";
import { KeepView } from "./workspaces/keep-view.tsx";
import { workspacesAddress } from "./workspaces/workspace-words.ts";
import { HiddenInTraining } from "../../app/hidden-in-training.tsx";

/** The graph: find an entity by its name, or begin with what is best connected. */
export function Explorer(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const sets = useMySets();
  const [setId, name, kind] = [search.get("set") ?? undefined, search.get("q"), search.get("kind")];
  const [day, documentId] = [search.get("on"), search.get("document")];
  useLive(setId ? { problemSetId: setId } : undefined, ["graph.changed"]);
  const at = day ? `${day}T23:59:59.999Z` : undefined;
  const scope = {
    ...(setId && { setId }),
    ...(at && { at }),
    ...(documentId && { documentId }),
  };
  const isAsked = Boolean(name || kind);
  const kept = { ...(setId && { set: setId }), ...(documentId && { document: documentId }) };
  return (
    <Page
      title="Graph"
      intro="Who and what your reports and the news speak of, and how they are related. Every name and every line leads to the words that say so."
      acts={
        <>
          {setId && <KeepView setId={setId} documentId={documentId} kind={kind} />}
          <Link className="button" to={setId ? workspacesAddress(setId) : "/knowledge/workspaces"}>
            Workspaces
          </Link>
          <Link className="button" to={setId ? `/knowledge/feed?set=${setId}` : "/knowledge/feed"}>
            Add a report or news
          </Link>
        </>
      }
    >
      <KnowledgeTabs setId={setId} />
      <Shown of={sets}>
        {({ data }) =>
          data.length ? (
            <>
              <div className="row choice-row">
                <GraphChoice />
                <Form
                  key={search.toString()}
                  act="Find"
                  isInline
                  label="Find an entity"
                  onSubmit={(fields) => setSearch({ ...kept, ...fields })}
                >
                  <Field label="Name" name="q" type="search" defaultValue={name ?? ""} />
                  <Select
                    label="Kind"
                    name="kind"
                    defaultValue={kind ?? ""}
                    options={[["", "any"], ...KINDS.filter(([one]) => one !== "other")]}
                  />
                  <Field label="As known on" name="on" type="date" defaultValue={day ?? ""} />
                </Form>
              </div>
              {documentId && <OfDocument documentId={documentId} setId={setId} />}
              {isAsked ? (
                <Section title="Found" acts={<Link to={`?${new URLSearchParams(kept)}`}>Show the whole graph</Link>}>
                  <Found
                    query={{ ...scope, ...(name && { name }), ...(kind && { kind: kind as EntityKind }) }}
                    empty={`Nothing fits${name ? ` “${name}”` : ""}. A part of the name is enough; names of people and organisations may be misspelt.`}
                  />
                </Section>
              ) : (
                <>
                  <Overview {...scope} />
                  {!documentId && !at && <Beginnings setId={setId} />}
                </>
              )}
            </>
          ) : (
            <Empty>
              You are not a member of any problem set yet, and every graph belongs to one.{" "}
              <Link to="/workspace">Open a problem set</Link>, or ask somebody to invite you into theirs.
              <HiddenInTraining />
            </Empty>
          )
        }
      </Shown>
    </Page>
  );
}

const OfDocument = ({ documentId, setId }: { documentId: string; setId: string | undefined }): ReactNode => {
  const titles = useTitles(setId);
  return (
    <p>
      Only what <strong>{titles(documentId)}</strong> names is shown.{" "}
      <Link to={setId ? `?set=${setId}` : "?"}>Show the whole graph</Link>
    </p>
  );
};
