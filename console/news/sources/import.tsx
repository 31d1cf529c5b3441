import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Field, Form, Select, TextField } from "../../parts/form.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { many, Progress } from "../../parts/texts.tsx";
import { DOMAINS, type NewsDomain } from "../domains.ts";
import { ImportReport, useImported, useTellImported } from "./import-report.tsx";
import { STARTER_LIST, starterFeeds } from "./starter.ts";
import "./sources.css";

/** Follows the feeds of an OPML document, and shows what became of each. */
export function useImport(): { follow(opml: string, domain?: NewsDomain): Promise<unknown>; isBusy: boolean } {
  const tell = useTellImported();
  const { mutateAsync, isPending } = useAct("POST /sources/opml", { tellsRefusal: false });
  return {
    isBusy: isPending,
    async follow(opml, domain) {
      const { data } = await mutateAsync({
        ...(domain && { query: { domain } }),
        options: { file: new Blob([opml], { type: "text/x-opml" }) },
      });
      tell({ result: data, opml });
    },
  };
}

/** Many sources at once: the list to start with, a file of another reader, several addresses. */
export function Import(): ReactNode {
  const imported = useImported();
  const mayCurate = useMay("sources:curate");
  return (
    <Page title="Follow many sources" intro="What became of each feed is told here, also why one could not be taken.">
      {imported && <ImportReport {...imported} />}
      {mayCurate ? (
        <div className="columns">
          <Starter />
          <OfFile />
          <OfAddresses />
        </div>
      ) : (
        <Empty>Your account may read sources. Analysts follow them.</Empty>
      )}
    </Page>
  );
}

function Starter(): ReactNode {
  const { follow, isBusy } = useImport();
  const feeds = starterFeeds();
  const count = feeds.reduce((sum, { names }) => sum + names.length, 0);
  return (
    <Section title="A list to start with">
      <p>
        {many(count, "feed")} of well-known outlets, in {many(feeds.length, "domain")}. Those that are followed already
        are left as they are.
      </p>
      <details className="starter-list">
        <summary>What is in it</summary>
        <dl>
          {feeds.map(({ domain, names }) => (
            <div key={domain}>
              <dt>{domain}</dt>
              <dd>{names.join("; ")}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Form act="Follow the starter list" onSubmit={() => follow(STARTER_LIST)}>
        {isBusy && <Progress label="The feeds are taken over" />}
      </Form>
    </Section>
  );
}

function OfFile(): ReactNode {
  const { follow, isBusy } = useImport();
  return (
    <Section title="From another reader">
      <Form
        act="Follow its feeds"
        onSubmit={async ({ domain }, form) => {
          const file = new FormData(form).get("file") as File;
          await follow(await file.text(), domain as NewsDomain | undefined);
        }}
      >
        <Field
          label="OPML file"
          name="file"
          type="file"
          accept=".opml,.xml,text/x-opml,text/xml"
          hint="Every feed reader can export one."
          required
        />
        <Select
          label="Feeds outside of a folder named after a domain"
          name="domain"
          options={[["", "ask me afterwards"], ...DOMAINS.map((domain) => [domain, `are about ${domain}`] as const)]}
        />
        {isBusy && <Progress label="The feeds are taken over" />}
      </Form>
    </Section>
  );
}

/** "Meridian Wire https://…": an address, perhaps with a name before it; its host is its name otherwise. */
function entryOf(line: string, domain: NewsDomain): Record<string, unknown> {
  const url = line.slice(line.lastIndexOf(" ") + 1);
  const name = line.slice(0, -url.length).trim();
  return { url, domain, name: name || (URL.parse(url)?.hostname ?? url) };
}

function OfAddresses(): ReactNode {
  const tell = useTellImported();
  const follow = useAct("POST /sources/bulk", {
    tellsRefusal: false,
    then: ({ data }) => tell({ result: data }),
  });
  return (
    <Section title="Several addresses">
      <Form
        act="Follow them"
        onSubmit={({ lines = "", domain }) => {
          const entries = lines
            .split("\n")
            .map((line) => line.trim())
            .filter(Boolean);
          return follow.mutateAsync({ body: { sources: entries.map((line) => entryOf(line, domain as NewsDomain)) } });
        }}
      >
        <TextField
          label="Addresses"
          name="lines"
          hint="One on each line, of a feed or a site. A name may stand before it."
          required
        />
        <Select label="What they are mostly about" name="domain" options={DOMAINS} />
        {follow.isPending && <Progress label="The feeds are taken over" />}
      </Form>
    </Section>
  );
}
