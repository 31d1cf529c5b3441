import type { ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import type { ListRow } from "../../api/client.ts";
import { Empty, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { AdminPage } from "../frame.tsx";

type Letter = ListRow<"GET /admin/letters">;
const LOOK_MS = 5_000;

/** Where no mail server is set: the letters that were written to nobody, for whoever develops here. */
export function Letters(): ReactNode {
  // Nothing tells that one was written.
  const letters = useAnswer("GET /admin/letters", [], { every: LOOK_MS });
  return (
    <AdminPage
      title="Letters"
      intro="What would have been mailed, while no mail server is set. They are kept in memory, and gone with a restart."
      acts={
        <button type="button" disabled={letters.isFetching} onClick={() => void letters.refetch()}>
          Look again
        </button>
      }
    >
      <Shown of={letters}>
        {({ data, meta }) => {
          if (meta.mailServer) return <Empty>A mail server is set: letters are sent, and none is kept here.</Empty>;
          if (!data.length)
            return <Empty>No letter was written yet. They come here a moment after they are asked for.</Empty>;
          return (
            <div className="stack">
              {data.map((letter) => (
                <Shut key={letter.messageId} letter={letter} />
              ))}
            </div>
          );
        }}
      </Shown>
    </AdminPage>
  );
}

const Shut = ({ letter: { subject, to, at, text } }: { letter: Letter }): ReactNode => (
  <details className="card">
    <summary>
      <strong>{subject}</strong> to {to.join(", ")},{" "}
      <span className="muted">
        <Time at={at} />
      </span>
    </summary>
    {text === undefined ? (
      <p className="muted">
        Its text is not shown: others reach this platform, and there may be a link in it that signs in.
      </p>
    ) : (
      <Text of={text} />
    )}
  </details>
);

const LINK = /(https?:\/\/[^\s<>"]+)/;

/** A letter as it is read in a mail program, whose links can be followed. */
const Text = ({ of: text }: { of: string }): ReactNode => (
  <pre className="letter">
    {text.split(LINK).map((part, at) =>
      LINK.test(part) ? (
        <a key={at} href={part}>
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </pre>
);
