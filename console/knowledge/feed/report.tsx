import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { useCompartmentsOf, useIsReadIn } from "../../app/compartments.tsx";
import { Check, Field, Form, TextField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";

/** What the form of a report sends: a text becomes a file of its own. The file comes last: it is read as it arrives. */
function reportOf(setId: string, form: HTMLFormElement): FormData {
  const given = new FormData(form);
  const [title, text, file] = [String(given.get("title") ?? ""), String(given.get("text") ?? ""), given.get("file")];
  const sent = new FormData();
  sent.append("problemSetId", setId);
  for (const id of given.getAll("compartments")) sent.append("compartments", String(id));
  if (title) sent.append("title", title);
  if (file instanceof File && file.size) sent.append("file", file);
  else if (text.trim()) sent.append("file", new File([text], "report.txt", { type: "text/plain" }));
  else throw new Error("Write the report, or choose a file.");
  return sent;
}

/** Puts a report in, as text or as a file; what it says is read into the graph at once. */
export function Report({ setId }: { setId: string }): ReactNode {
  const navigate = useNavigate();
  const compartments = useCompartmentsOf(setId, "active");
  const isReadIn = useIsReadIn();
  const upload = useAct("POST /documents/upload", {
    tellsRefusal: false,
    then: ({ data }) => void navigate(`?set=${setId}&document=${data.id}`, { state: { begins: true } }),
  });
  // Managers see the names of all; only those who are read in can put something there.
  const seen = compartments.data?.data.filter(isReadIn) ?? [];
  return (
    <Section title="Add a report">
      <Form
        act="Add and read"
        clears
        label="Add a report"
        onSubmit={(_fields, form) => upload.mutateAsync({ options: { form: reportOf(setId, form) } })}
      >
        <Field label="Title" name="title" hint="Left empty: the name of its file." />
        <TextField
          label="Text"
          name="text"
          rows={6}
          hint="Whole sentences: “Colonel Marek Dvorak commands the 4th Engineer Battalion.”"
        />
        <Field
          label="Or a file"
          name="file"
          type="file"
          accept=".pdf,.docx,.odt,.html,.md,.txt"
          hint="PDF, Word, OpenDocument, HTML, Markdown or text."
        />
        {seen.length > 0 && (
          <fieldset>
            <legend>Only for those in</legend>
            {seen.map(({ id, name }) => (
              <Check key={id} label={name} name="compartments" value={id} />
            ))}
            <small className="muted">None: everybody in the problem set sees it, and what it says.</small>
          </fieldset>
        )}
      </Form>
    </Section>
  );
}
