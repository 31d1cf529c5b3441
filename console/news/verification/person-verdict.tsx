import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, Select, TextField } from "../../parts/form.tsx";

/** A person's verdict outranks every machine's. */
export function PersonVerdict({ contentId }: { contentId: number }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const give = useAct("PUT /articles/{id}/verification", {
    tellsRefusal: false,
    says: ({ data }) => (data.verified ? "You verified the article." : "The article counts as not verified."),
    then: () => setOpen(false),
  });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Give your verdict
      </button>
      {isOpen && (
        <Dialog title="Your verdict on this article" onClose={() => setOpen(false)}>
          <Form
            act="Give the verdict"
            onSubmit={({ verified, notes }) =>
              give.mutateAsync({
                path: { id: contentId },
                body: { verified: verified === "yes", ...(notes && { notes }) },
              })
            }
          >
            <p className="muted">
              It stands above what rules and models found, under your name: a verified article has at least 90 points,
              one that is not has 40 at most.
            </p>
            <Select
              label="Verdict"
              name="verified"
              options={[
                ["yes", "Verified: it can be used"],
                ["no", "Not verified: do not use it as it is"],
              ]}
            />
            <TextField label="Why" name="notes" hint="For others to read: what you looked at, and whom you asked." />
          </Form>
        </Dialog>
      )}
    </>
  );
}
