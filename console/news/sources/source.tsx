import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, Select } from "../../parts/form.tsx";
import { Page, PageOf, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { EditDialog } from "./follow.tsx";
import { Fetches, Figures, Reliability } from "./record.tsx";
import { Refresh, SourceHealth } from "./sources.tsx";
import "./sources.css";

type Source = Data<"GET /sources/{id}">;

/** A new source is read within seconds, and nothing tells of it. */
const LOOK_MS = 2_000;

/** One source: how well it can be read, what came of it, and what can be changed. */
export function SourcePage(): ReactNode {
  const id = Number(useParams()["id"]);
  const source = useAnswer("GET /sources/{id}", [{ path: { id } }], {
    every: (answer) => answer?.data.active === true && !answer.data.lastFetch && LOOK_MS,
  });
  return (
    <PageOf of={source} title="Source" back={<Link to="/news/sources">To the sources</Link>}>
      {({ data }) => (
        <Page
          title={data.name}
          intro={
            <>
              Mostly about {data.domain}. <Link to={`/news/articles?source=${id}`}>Its articles</Link>
            </>
          }
          acts={<Acts {...data} />}
        >
          <div className="beside">
            <div className="stack">
              <State {...data} />
              <Fetches id={id} />
            </div>
            <div className="stack">
              <Figures id={id} />
              <Reliability id={id} />
            </div>
          </div>
        </Page>
      )}
    </PageOf>
  );
}

const State = (source: Source): ReactNode => {
  const { url, feedUrl, lastFetch, nextFetch, active, fullText, createdAt } = source;
  return (
    <Section title="How it is read">
      <p>
        <SourceHealth {...source} />
      </p>
      <dl>
        <dt>Last read</dt>
        <dd>
          <Time at={lastFetch} />
        </dd>
        <dt>Read next</dt>
        <dd>{active ? <Time at={nextFetch} /> : "not while it is paused"}</dd>
        <dt>Address</dt>
        <dd>
          <Outside url={url} />
        </dd>
        {feedUrl !== url && (
          <>
            <dt>Its feed</dt>
            <dd>
              <Outside url={feedUrl} />
            </dd>
          </>
        )}
        <dt>Full texts</dt>
        <dd>{fullText ? "are fetched where the feed gives a summary" : "are not fetched"}</dd>
        <dt>Followed since</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
    </Section>
  );
};

const Outside = ({ url }: { url: string }): ReactNode => (
  <a href={url} target="_blank" rel="noopener noreferrer nofollow">
    {url}
  </a>
);

/** What whoever curates sources can do with it. */
function Acts(source: Source): ReactNode {
  const { id, name, active, fullText } = source;
  const [opened, setOpened] = useState<"edit" | "remove">();
  const change = useAct("PUT /sources/{id}");
  const close = (): void => setOpened(undefined);
  if (!useMay("sources:curate")) return null;
  const set = (body: { active?: boolean; fullText?: boolean }): void => change.mutate({ path: { id }, body });
  return (
    <>
      {active && <Refresh {...source} />}
      <button type="button" disabled={change.isPending} onClick={() => set({ active: !active })}>
        {active ? "Pause" : "Resume"}
      </button>
      <button type="button" disabled={change.isPending} onClick={() => set({ fullText: !fullText })}>
        {fullText ? "Stop full texts" : "Fetch full texts"}
      </button>
      <button type="button" onClick={() => setOpened("edit")}>
        Change
      </button>
      <button type="button" className="danger" onClick={() => setOpened("remove")}>
        Remove
      </button>
      {opened === "edit" && <EditDialog source={source} onClose={close} />}
      {opened === "remove" && <RemoveDialog id={id} name={name} onClose={close} />}
    </>
  );
}

function RemoveDialog({ id, name, onClose }: { id: number; name: string; onClose(): void }): ReactNode {
  const goTo = useNavigate();
  const remove = useAct("DELETE /sources/{id}", {
    tellsRefusal: false,
    says: `${name} is not followed any more.`,
    then: () => goTo("/news/sources"),
  });
  return (
    <Dialog title={`Remove ${name}`} onClose={onClose}>
      <p>
        It is not read any more, leaves every list, and its history of reading is forgotten. To stop for a while, pause
        it.
      </p>
      <Form
        act="Remove"
        beside={
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        }
        onSubmit={({ articles }) =>
          remove.mutateAsync({ path: { id }, query: { articles: articles as "keep" | "remove" } })
        }
      >
        <Select
          label="Its articles"
          name="articles"
          hint="What a briefing cites stays in any case."
          options={[
            ["keep", "stay, to be searched and read"],
            ["remove", "are removed too"],
          ]}
        />
      </Form>
    </Dialog>
  );
}
