import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useDraftName } from "../../app/session.tsx";
import { Form, Select, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import type { ListRow } from "../../api/client.ts";
import { ReplyView } from "../shared/reply-view.tsx";
import { useReplies } from "../shared/use-replies.ts";
import { Routing } from "./routing.tsx";
import { TABS } from "./tabs.ts";

type ChatRow = ListRow<"GET /ai-staff/{problemSetId}/chat">;
const HISTORY = "GET /ai-staff/{problemSetId}/chat";

/** Questions to the staff, and their answers: everybody in the problem set sees them. */
export function StaffChat({
  setId,
  mayAsk,
  mayRoute,
}: {
  setId: string;
  mayAsk: boolean;
  mayRoute: boolean;
}): ReactNode {
  const [search, setSearch] = useSearchParams();
  const cursor = search.get("chat") ?? undefined;
  const path = { problemSetId: setId };
  const chat = useAnswer(HISTORY, [{ path, query: { limit: 10, ...(cursor && { cursor }) } }], { keepsShown: true });
  const ask = useAct("POST /ai-staff/{problemSetId}/chat", {
    tellsRefusal: false,
    says: ({ data }) => `${data.agentName} answers. ${data.why}`,
  });
  const draft = useDraftName(`staff ${setId}`);
  const to = (next: string | null): void => {
    const changed = new URLSearchParams(search);
    if (next) changed.set("chat", next);
    else changed.delete("chat");
    setSearch(changed);
  };
  return (
    <Section title="Ask the staff">
      <p className="muted">Everybody here sees the question and the answer. Nothing is done by it.</p>
      {mayAsk && (
        <Form
          act="Ask the staff"
          clears
          key={setId}
          draft={draft}
          onSubmit={({ text = "", tab }) => ask.mutateAsync({ path, body: { text, ...(tab && { tab }) } })}
        >
          <TextField label="Question" name="text" rows={2} required maxLength={8_000} />
          <Select label="About" name="tab" options={[["", "no part in particular"], ...TABS]} />
        </Form>
      )}
      <Shown of={chat}>
        {({ data, meta }) => (
          <>
            <Answers setId={setId} rows={data} />
            <div className="row">
              {cursor && (
                <button type="button" onClick={() => to(null)}>
                  Back to the newest
                </button>
              )}
              {meta.next && (
                <button type="button" onClick={() => to(meta.next)}>
                  Older questions
                </button>
              )}
            </div>
          </>
        )}
      </Shown>
      <Routing setId={setId} mayRoute={mayRoute} />
    </Section>
  );
}

function Answers({ setId, rows }: { setId: string; rows: readonly ChatRow[] }): ReactNode {
  const { textOf, said } = useReplies({ events: "staff.reply", problemSetId: setId, history: HISTORY }, rows);
  return (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {rows.length === 0 && <p className="empty">Nobody has asked anything yet.</p>}
      <ul className="list">
        {rows.map((row) => (
          <li key={row.id}>
            <p className="pre">
              <strong>{row.byName ?? row.by}:</strong> {row.said}
            </p>
            <p className="note muted" title={row.why}>
              {row.agentName}, <Time at={row.createdAt} />
              {row.tab ? `, on ${row.tab}` : ""}
            </p>
            <ReplyView reply={row} text={textOf(row)} />
          </li>
        ))}
      </ul>
    </>
  );
}
