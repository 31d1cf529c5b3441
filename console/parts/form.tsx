import {
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type FormEvent,
  type ReactNode,
} from "react";
import { Refusal } from "../api/client.ts";
import { wordsOf } from "../api/hooks.ts";
import type { FormFields } from "./form-fields.ts";

/** Refused fields of the form around, by name. */
const Faults = createContext<ReadonlyMap<string, string>>(new Map());

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
  children,
}: FormProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const element = useRef<HTMLFormElement>(null);
  const faults = new Map(error instanceof Refusal ? error.faults.map(({ path, message }) => [path, message]) : []);
  const [unplaced, setUnplaced] = useState<string>();

  useEffect(() => {
    if (!error) return setUnplaced(undefined);
    const form = element.current!;
    const first = [...faults.keys()]
      .map((path) => form.elements.namedItem(path))
      .find((one) => one instanceof HTMLElement);
    const elsewhere = [...faults].filter(([path]) => !form.elements.namedItem(path));
    setUnplaced(
      faults.size
        ? elsewhere.map(([path, message]) => [path, message].filter(Boolean).join(": ")).join("; ")
        : wordsOf(error),
    );
    (first as HTMLElement | undefined)?.focus();
    // The map is made anew of the same error at each render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [error]);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const fields: FormFields = {};
    // Of several buttons the one that was pressed counts, under its name.
    const { submitter } = event.nativeEvent as SubmitEvent;
    for (const [name, value] of new FormData(form, submitter))
      if (typeof value === "string" && value.trim() !== "") fields[name] = value;
    setBusy(true);
    try {
      await onSubmit(fields, form);
      setError(undefined);
      if (clears) form.reset();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Faults value={faults}>
      <form ref={element} className={isInline ? "inline" : "stack"} aria-label={label} onSubmit={submit}>
        {children}
        {unplaced && (
          <p className="fault" role="alert">
            {unplaced}
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

/** A field of one line. */
export function Field({ label, hint, ...input }: Labelled & ComponentProps<"input">): ReactNode {
  const id = useId();
  const fault = useContext(Faults).get(input.name);
  return (
    <Around {...{ id, label, hint, fault }}>
      <input id={id} aria-invalid={Boolean(fault)} aria-describedby={described(id, hint, fault)} {...input} />
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
}: Labelled & ComponentProps<"select"> & { options: readonly (string | readonly [string, string])[] }): ReactNode {
  const id = useId();
  const fault = useContext(Faults).get(input.name);
  return (
    <Around {...{ id, label, hint, fault }}>
      <select id={id} aria-invalid={Boolean(fault)} aria-describedby={described(id, hint, fault)} {...input}>
        {options.map((one) => {
          const [value, words] = typeof one === "string" ? [one, one] : one;
          return (
            <option key={value} value={value}>
              {words}
            </option>
          );
        })}
      </select>
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
