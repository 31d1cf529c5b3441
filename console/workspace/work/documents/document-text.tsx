import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Field, Form } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Progress } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";
import type { DocumentShown } from "./document-words.ts";
import { TextBlocks } from "./text-blocks.tsx";

/** The text of the version that the address asks for, page by page, or why there is none. */
export function DocumentText({ document }: { document: DocumentShown }): ReactNode {
  const [search] = useSearchParams();
  const wanted = Number(search.get("version")) || document.version;
  const version = document.versions.find((one) => one.version === wanted);
  if (!version) return <p className="empty">There is no version {wanted} of this document.</p>;
  const title = wanted === document.version ? "Text" : `Text of version ${wanted}`;
  if (version.status === "unreadable")
    return (
      <Section title={title}>
        <p>{version.explanation ?? "Its text cannot be read."} The file itself can be downloaded.</p>
        {version.reason === "encrypted" && wanted === document.version && <Unlock documentId={document.id} />}
      </Section>
    );
  return (
    <Section title={title}>
      {version.status === "ready" ? (
        <PageOfText documentId={document.id} version={wanted} pagesUnread={version.pagesUnread ?? []} />
      ) : (
        <Progress label="The text is being read in; it appears here by itself" />
      )}
    </Section>
  );
}

interface PageOfTextProps {
  documentId: string;
  version: number;
  pagesUnread: readonly number[];
}
function PageOfText({ documentId, version, pagesUnread }: PageOfTextProps): ReactNode {
  const [search] = useSearchParams();
  const page = Math.max(1, Number(search.get("page")) || 1);
  // A page that is longer than one answer goes on from an offset.
  const from = Number(search.get("from")) || undefined;
  const text = useAnswer(
    "GET /documents/{documentId}/text",
    [{ path: { documentId }, query: { version, ...(from ? { from } : { page }) } }],
    { keepsShown: true },
  );
  return (
    <Shown of={text}>
      {({ data: { text: words = "", start = 0, end = 0, characters = 0, pageCount = 1, pages = [], blocks } }) => {
        const shown = pages.find((one) => one.start <= start && one.end > start)?.page ?? page;
        const isCut = end < (pages.find((one) => one.page === shown)?.end ?? characters);
        return (
          <>
            <Turning page={shown} count={pageCount} />
            {pagesUnread.includes(shown) && <p className="fault">This page could not be read.</p>}
            <TextBlocks text={words} start={start} {...(blocks && { blocks })} />
            {isCut && <Onward from={end} />}
            {pageCount > 1 && words.length > 1_500 && <Turning page={shown} count={pageCount} />}
          </>
        );
      }}
    </Shown>
  );
}

function Turning({ page, count }: { page: number; count: number }): ReactNode {
  const [search, setSearch] = useSearchParams();
  if (count < 2) return null;
  const to = (next: number): void => {
    const changed = new URLSearchParams(search);
    changed.set("page", String(next));
    changed.delete("from");
    setSearch(changed);
  };
  return (
    <nav className="row" aria-label={`Pages of the text: ${page} of ${count}`}>
      <button type="button" disabled={page <= 1} onClick={() => to(page - 1)}>
        Page before
      </button>
      <span>
        Page {page} of {count}
      </span>
      <button type="button" disabled={page >= count} onClick={() => to(page + 1)}>
        Next page
      </button>
    </nav>
  );
}

function Onward({ from }: { from: number }): ReactNode {
  const [search, setSearch] = useSearchParams();
  return (
    <button
      type="button"
      onClick={() => {
        const changed = new URLSearchParams(search);
        changed.set("from", String(from));
        setSearch(changed);
      }}
    >
      Read on
    </button>
  );
}

function Unlock({ documentId }: { documentId: string }): ReactNode {
  const { maySet } = useSet();
  const unlock = useAct("POST /documents/{documentId}/unlock", {
    tellsRefusal: false,
    says: "It opens: its text is kept for everybody who sees the document.",
  });
  if (!maySet("documents:add")) return null;
  return (
    <Form
      act="Try"
      isInline
      label="Unlock the document"
      onSubmit={({ password = "" }) => unlock.mutateAsync({ path: { documentId }, body: { password } })}
    >
      <Field
        label="Its password"
        name="password"
        type="password"
        autoComplete="off"
        hint="Used once, and not stored."
        required
      />
    </Form>
  );
}
