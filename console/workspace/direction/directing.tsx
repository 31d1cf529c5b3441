import { useState, type ReactNode } from "react";
import { useAsOpened } from "../../api/as-opened.ts";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField } from "../../parts/form.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { useIsReadIn } from "../../app/compartments.tsx";
import { useCompartments } from "../set/known.ts";
import { useSet } from "../set/use-set.tsx";

type Direction = ListRow<"GET /inheritance/directions">;
const KINDS: readonly (readonly [Direction["kind"], string])[] = [
  ["intent", "intent: what is to be reached, and why"],
  ["objective", "objective: what must be true at the end"],
  ["constraint", "constraint: what must not be done"],
];

/** Intent, objectives and constraints of this set, which the sets below take up. */
export function Directing(): ReactNode {
  const { set, maySet } = useSet();
  const [asked, setAsked] = useState<Direction | "new">();
  const mayDirect = maySet("inheritance:direct");
  const directions = useAnswer("GET /inheritance/directions", [
    { query: { problemSetId: set.id, sort: "createdAt", limit: 100 } },
  ]);
  return (
    <Section
      title="Of this set"
      acts={
        mayDirect && (
          <button type="button" onClick={() => setAsked("new")}>
            Lay something down
          </button>
        )
      }
    >
      <Shown of={directions}>
        {({ data }) =>
          data.length ? (
            <ul className="list">
              {data.map((one) => (
                <li key={one.id} className="entry">
                  <span>
                    <small className="muted">{one.kind}</small> <strong>{one.title}</strong>
                    <br />
                    <span className="muted">{one.text}</span>
                  </span>
                  {mayDirect && (
                    <button type="button" aria-label={`Change ${one.title}`} onClick={() => setAsked(one)}>
                      Change
                    </button>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <Empty>Nothing is laid down. Say what is to be reached, and the sets below take it up.</Empty>
          )
        }
      </Shown>
      {asked === "new" && <NewDirection onClose={() => setAsked(undefined)} />}
      {asked && asked !== "new" && <ChangeDirection direction={asked} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}

const Texts = ({ title, text }: { title?: string; text?: string }): ReactNode => (
  <>
    <Field label="In a few words" name="title" defaultValue={title} maxLength={200} required />
    <TextField label="In full" name="text" defaultValue={text} required />
  </>
);

function NewDirection({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const isReadIn = useIsReadIn();
  const inside = useCompartments("active").data?.data.filter(isReadIn) ?? [];
  const lay = useAct("POST /inheritance/directions", { tellsRefusal: false, says: "It is laid down.", then: onClose });
  return (
    <Dialog title="Lay something down" onClose={onClose}>
      <Form
        act="Lay down"
        onSubmit={({ kind, title = "", text = "", compartment }) =>
          lay.mutateAsync({
            body: {
              problemSetId: set.id,
              kind: kind as Direction["kind"],
              title,
              text,
              ...(compartment && { compartments: [compartment] }),
            },
          })
        }
      >
        <Select label="Kind" name="kind" options={KINDS} />
        <Texts />
        {inside.length > 0 && (
          <Select
            label="For"
            name="compartment"
            options={[["", "all members"], ...inside.map(({ id, name }) => [id, `those in ${name}`] as const)]}
          />
        )}
      </Form>
    </Dialog>
  );
}

function ChangeDirection({ direction, onClose }: { direction: Direction; onClose(): void }): ReactNode {
  const [isRemoving, setRemoving] = useState(false);
  const path = { id: direction.id };
  const { options, inTime } = useAsOpened(direction.rev);
  const change = useAct("PATCH /inheritance/directions/{id}", { tellsRefusal: false, says: "Kept.", then: onClose });
  const remove = useAct("DELETE /inheritance/directions/{id}", { says: "It is taken back." });
  if (isRemoving)
    return (
      <Confirm
        title={`Take back ${direction.title}?`}
        act="Take back"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ path }, { onSettled: onClose })}
        onClose={onClose}
      >
        <p>The sets below are told that it no longer holds.</p>
      </Confirm>
    );
  return (
    <Dialog title={`Change the ${direction.kind}`} onClose={onClose}>
      <Form
        act="Keep"
        onSubmit={({ title, text }) =>
          inTime(change.mutateAsync({ path, body: { ...(title && { title }), ...(text && { text }) }, options }))
        }
        beside={
          <button type="button" className="danger" onClick={() => setRemoving(true)}>
            Take it back
          </button>
        }
      >
        <Texts title={direction.title} text={direction.text} />
      </Form>
    </Dialog>
  );
}
