import {
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type ComponentPropsWithoutRef,
  type FormEvent,
  type ReactNode,
} from "react";
import { Refusal } from "../api/client.ts";
import { wordsOf } from "../api/hooks.ts";
import { dropDraft, keepDraft, restoreDraft } from "./drafts.ts";
import type { FormFields } from "./form-fields.ts";
import { KeptSelect } from "./kept-select.tsx";

/** Refused fields of the form around, by name. */
const NONE: ReadonlyMap<string, string> = new Map();
const Faults = createContext(NONE);

interface RefusedForm {
  /** By the name of the field. */
  placed: ReadonlyMap<string, string>;
  /** What no field of the form is about. */
  unplaced: string;
}

/**
 * The field that a fault is about: `queries.1` is about the second line of `queries`, and `rule` about the first field
 * of several.
 */
function fieldOf(form: HTMLFormElement, path: string): string | undefined {
  if (form.elements.namedItem(path)) return path;
  const within = [...form.elements].find((one) => one.getAttribute("name")?.startsWith(`${path}.`));
  if (within) return within.getAttribute("name")!;
  const end = path.lastIndexOf(".");
  return end < 0 ? undefined : fieldOf(form, path.slice(0, end));
}

function placedIn(form: HTMLFormElement, failure: unknown): RefusedForm {
  const faults = failure instanceof Refusal ? failure.faults : [];
  if (!faults.length) return { placed: NONE, unplaced: wordsOf(failure) };
  const placed = new Map<string, string>();
  const elsewhere: string[] = [];
  for (const { path, message } of faults) {
    const field = fieldOf(form, path);
    if (field === undefined) elsewhere.push([path, message].filter(Boolean).join(": "));
    else
      placed.set(field, [placed.get(field), inPart(path.slice(field.length + 1), message)].filter(Boolean).join("; "));
  }
  return { placed, unplaced: elsewhere.join("; ") };
}

/** Parts of a list are counted from 1. */
const inPart = (part: string, message: string): string =>
  /^\d+$/.test(part) ? `number ${Number(part) + 1}: ${message}` : message;

export type { FormFields };

interface FormProps {
  /** The verb on its button. */
  act: string;
  /** Gets every named field as text, left-out ones as absent; what it throws is shown, beside the fields that it names. */
  onSubmit(fields: FormFields, form: HTMLFormElement): Promise<unknown> | unknown;
  /** Buttons beside the first one; a pressed one is among the fields, if it has a name. */
  beside?: ReactNode;
  /** In one line, for filters and one-field forms. */
  isInline?: boolean;
  /** Emptied when it is done. */
  clears?: boolean;
  label?: string;
  /** Whose and which: its texts are kept under this until they are sent or their person signs out. */
  draft?: string;
  /** Somebody writes in it. */
  onWriting?(): void;
  children: ReactNode;
}

/** A form that says, at the field, what the API would not take. */
export function Form({
  act,
  onSubmit,
  beside,
  isInline = false,
  clears = false,
  label,
  draft,
  onWriting,
  children,
}: FormProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<RefusedForm>();
  const element = useRef<HTMLFormElement>(null);
  const pressed = useRef<Element>(null);

  // A button that is disabled while its act is under way loses the focus: whoever works by keyboard goes on from there.
  useEffect(() => {
    if (isBusy || document.activeElement !== document.body) return;
    if (pressed.current instanceof HTMLElement && pressed.current.isConnected) pressed.current.focus();
  }, [isBusy]);

  useEffect(() => {
    if (draft !== undefined) restoreDraft(draft, element.current!);
  }, [draft]);

  useEffect(() => {
    const [first] = refused?.placed.keys() ?? [];
    const field = first === undefined ? null : element.current!.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
  }, [refused]);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const fields: FormFields = {};
    // Of several buttons the one that was pressed counts, under its name.
    const { submitter } = event.nativeEvent as SubmitEvent;
    for (const [name, value] of new FormData(form, submitter))
      if (typeof value === "string" && value.trim() !== "") fields[name] = value;
    pressed.current = document.activeElement;
    setBusy(true);
    try {
      await onSubmit(fields, form);
      setRefused(undefined);
      if (draft !== undefined) dropDraft(draft);
      if (clears) form.reset();
    } catch (failure) {
      setRefused(placedIn(form, failure));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Faults value={refused?.placed ?? NONE}>
      <form
        ref={element}
        className={isInline ? "inline" : "stack"}
        aria-label={label}
        onSubmit={submit}
        onInput={({ currentTarget }) => {
          onWriting?.();
          if (draft !== undefined) keepDraft(draft, currentTarget);
        }}
      >
        {children}
        {refused?.unplaced && (
          <p className="fault" role="alert">
            {refused.unplaced}
          </p>
        )}
        <div className="row">
          <button type="submit" className="primary" disabled={isBusy}>
            {act}
          </button>
          {beside}
        </div>
      </form>
    </Faults>
  );
}

interface Labelled {
  label: string;
  name: string;
  hint?: ReactNode;
}
const described = (id: string, hint: unknown, fault: unknown): string | undefined =>
  [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ") || undefined;

function Around({
  id,
  label,
  hint,
  fault,
  children,
}: {
  id: string;
  label: string;
  hint?: ReactNode;
  fault: string | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint && (
        <small id={`${id}-hint`} className="muted">
          {hint}
        </small>
      )}
      {fault && (
        <small id={`${id}-fault`} className="fault">
          {fault}
        </small>
      )}
    </div>
  );
}

/** Fields of words run as what is written in them; those of figures, addresses and secrets stay as they are. */
const directionOf = (type: string | undefined): "auto" | undefined =>
  type === undefined || type === "text" || type === "search" ? "auto" : undefined;

/** A field of one line. */
export function Field({ label, hint, ...input }: Labelled & ComponentProps<"input">): ReactNode {
  const id = useId();
  const fault = useContext(Faults).get(input.name);
  return (
    <Around {...{ id, label, hint, fault }}>
      <input
        id={id}
        dir={directionOf(input.type)}
        aria-invalid={Boolean(fault)}
        aria-describedby={described(id, hint, fault)}
        {...input}
      />
    </Around>
  );
}

/** A field of several lines. */
export function TextField({ label, hint, ...input }: Labelled & ComponentProps<"textarea">): ReactNode {
  const id = useId();
  const fault = useContext(Faults).get(input.name);
  return (
    <Around {...{ id, label, hint, fault }}>
      <textarea
        id={id}
        dir="auto"
        rows={4}
        aria-invalid={Boolean(fault)}
        aria-describedby={described(id, hint, fault)}
        {...input}
      />
    </Around>
  );
}

/** One of several: `options` as values, or as pairs of value and words. */
export function Select({
  label,
  hint,
  options,
  ...input
}: Labelled &
  ComponentPropsWithoutRef<"select"> & { options: readonly (string | readonly [string, string])[] }): ReactNode {
  const id = useId();
  const fault = useContext(Faults).get(input.name);
  return (
    <Around {...{ id, label, hint, fault }}>
      <KeptSelect id={id} aria-invalid={Boolean(fault)} aria-describedby={described(id, hint, fault)} {...input}>
        {options.map((one) => {
          const [value, words] = typeof one === "string" ? [one, one] : one;
          return (
            <option key={value} value={value}>
              {words}
            </option>
          );
        })}
      </KeptSelect>
    </Around>
  );
}

/** Yes or no; sent as "on" when it is ticked. */
export function Check({ label, hint, ...input }: Labelled & ComponentProps<"input">): ReactNode {
  const id = useId();
  return (
    <div className="check">
      <input id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <small id={`${id}-hint`} className="muted">
          {hint}
        </small>
      )}
    </div>
  );
}
