import { useState, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { ask, type Data } from "../../api/client.ts";
import { useAct, useAnswer, wordsOf } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Loading, Page } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { acceptedWords } from "./accepted.ts";

type Found = Data<"GET /problem-sets/invite/code/{code}">;
const OVER: Record<string, string> = {
  "used-up": "This code is used up: as many people as it was for have joined.",
  expired: "This code has expired. Ask whoever gave it to you for another one.",
  withdrawn: "This invitation was withdrawn.",
  archived: "The problem set is in the archive: nobody joins it.",
};

interface ByCodeProps {
  /** The code of a link, and what was found under it. */
  given?: string;
  known?: Found | undefined;
  /** Why nothing was. */
  refused?: string;
}

/** Says what a code leads to before anybody follows it. */
function ByCode({ given = "", known, refused }: ByCodeProps): ReactNode {
  const navigate = useNavigate();
  const [found, setFound] = useState(known && { ...known, code: given });
  const accept = useAct("POST /problem-sets/invite/accept-by-code", {
    tellsRefusal: false,
    says: ({ data }) => acceptedWords(data),
    then: ({ data }) => void navigate(data.status === "member" ? `/workspace/${data.problemSetId}` : "/workspace"),
  });
  if (found?.status === "open")
    return (
      <Form act="Join" onSubmit={() => accept.mutateAsync({ body: { code: found.code } })}>
        <p>
          It leads into <strong>{found.name}</strong>, as {found.role}
          {found.training && ", for training"}. It ends <Time at={found.expiresAt} />.
          {found.approval && " Somebody who manages its members lets you in."}
        </p>
      </Form>
    );
  return (
    <Form
      act="Look it up"
      onSubmit={async ({ code = "" }) => {
        const { data } = await ask("GET /problem-sets/invite/code/{code}", { path: { code: code.trim() } });
        setFound({ ...data, code: code.trim() });
      }}
    >
      <Field
        label="Code of the invitation"
        name="code"
        defaultValue={given}
        autoComplete="off"
        spellCheck={false}
        hint="Somebody of the problem set gave it to you."
        required
      />
      {!found && refused && (
        <p className="fault" role="alert">
          {refused}
        </p>
      )}
      {found && <p role="status">{OVER[found.status] ?? "This code leads nowhere."}</p>}
    </Form>
  );
}

export const CodeDialog = ({ onClose }: { onClose(): void }): ReactNode => (
  <Dialog title="Join by a code" onClose={onClose}>
    <ByCode />
  </Dialog>
);

/** Where a handed-on link leads. The code stands behind `#`, which browsers send to nobody. */
export function JoinPage(): ReactNode {
  const code = codeIn(useLocation().hash);
  const found = useAnswer("GET /problem-sets/invite/code/{code}", [{ path: { code } }], { enabled: code !== "" });
  const isLooking = code !== "" && found.isPending;
  return (
    <Page title="You are invited" intro="Look at what the code leads to, and join if you want to.">
      <section className="card" aria-label="Join by a code">
        {isLooking ? (
          <Loading />
        ) : (
          <ByCode
            key={code}
            given={code}
            known={found.data?.data}
            {...(found.error && { refused: wordsOf(found.error) })}
          />
        )}
      </section>
    </Page>
  );
}

/** What was cut off or mistyped is looked up as it stands. */
function codeIn(hash: string): string {
  const code = hash.slice(1);
  try {
    return decodeURIComponent(code).trim();
  } catch {
    return code;
  }
}
