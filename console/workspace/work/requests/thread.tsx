import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useDraftName, useWho } from "../../../app/session.tsx";
import { Form, TextField, type FormFields } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Time } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";
import { isPending, type RequestShown } from "./request-words.ts";

type RequestMessage = ListRow<"GET /inheritance/{id}/rfis/{rfiId}/messages">;
const ROWS = 100;

/** What both sides wrote about a request, in order, and a place to write on. */
export function RequestThread({ request }: { request: RequestShown }): ReactNode {
  const { set, maySet } = useSet();
  const [search, setSearch] = useSearchParams();
  const cursor = search.get("cursor");
  const messages = useAnswer("GET /inheritance/{id}/rfis/{rfiId}/messages", [
    { path: { id: set.id, rfiId: request.id }, query: { limit: ROWS, ...(cursor && { cursor }) } },
  ]);
  return (
    <Section title="Answer and what was said about it">
      <Shown of={messages}>
        {({ data, meta: { next } }) => (
          <>
            {data.length ? (
              <ul className="messages">
                {data.map((message) => (
                  <ThreadLine key={message.id} message={message} side={request.side} />
                ))}
              </ul>
            ) : (
              <p className="empty">Nothing was said about it yet.</p>
            )}
            <div className="row">
              {cursor && (
                <button type="button" onClick={() => setSearch({})}>
                  To the first messages
                </button>
              )}
              {next && (
                <button type="button" onClick={() => setSearch({ cursor: next })}>
                  Later messages
                </button>
              )}
            </div>
          </>
        )}
      </Shown>
      {maySet("inheritance:ask") && isPending(request) && <Write request={request} />}
    </Section>
  );
}

function ThreadLine({
  message: { from, text, createdAt, createdBy, createdByName },
  side,
}: {
  message: RequestMessage;
  side: RequestShown["side"];
}): ReactNode {
  const { userId } = useWho();
  const where = from === side ? "this set" : from === "parent" ? "the set above" : "the set below";
  return (
    <li className={createdBy === userId ? "own" : undefined}>
      <header className="row">
        <strong>{createdByName ?? where}</strong>
        <small className="muted">
          {createdByName && `${where}, `}
          <Time at={createdAt} />
        </small>
      </header>
      <p className="as-written">{text}</p>
    </li>
  );
}

/** What a message may do beside being said: it answers, or asks on. */
const TURNS = {
  answered: { act: "Answer", label: "Your answer", only: "Send, and leave it open", says: "The request is answered." },
  open: { act: "Ask on", label: "Message", only: "Send, and leave it answered", says: "The request is open again." },
} as const;

function Write({ request: { id: rfiId, moves } }: { request: RequestShown }): ReactNode {
  const { set } = useSet();
  const path = { id: set.id, rfiId };
  const send = useAct("POST /inheritance/{id}/rfis/{rfiId}/messages", { tellsRefusal: false });
  const to = (["answered", "open"] as const).find((status) => moves.includes(status));
  const turn = to && TURNS[to];
  const move = useAct("PUT /inheritance/{id}/rfis/{rfiId}/status", turn && { says: turn.says });
  const draft = useDraftName(`request ${rfiId}`);
  async function submit({ text = "", only }: FormFields): Promise<void> {
    await send.mutateAsync({ path, body: { text } });
    // The message stands by then: a refusal is told in a notice, and the message is not sent again.
    if (to && !only) await move.mutateAsync({ path, body: { status: to } }).catch(() => {});
  }
  return (
    <Form
      act={turn?.act ?? "Send"}
      clears
      draft={draft}
      label="Write"
      onSubmit={submit}
      beside={
        turn && (
          <button type="submit" name="only" value="yes">
            {turn.only}
          </button>
        )
      }
    >
      <TextField label={turn?.label ?? "Message"} name="text" rows={3} maxLength={20_000} required />
    </Form>
  );
}
