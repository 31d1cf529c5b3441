import { useId, useLayoutEffect, useRef, useState, type FormEvent, type ReactNode } from "react";

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

const FIRST_FIELD = "form :is(input, select, textarea):not(:disabled, [type=hidden], [type=checkbox], [type=radio])";
type WordsField = HTMLInputElement | HTMLTextAreaElement;
const IS_WORDS = "textarea, input:not([type]), input:is([type=text], [type=url], [type=email])";

/**
 * A modal dialog of the browser's own: it keeps the focus inside, closes by Escape, and gives the focus back. What was
 * written in it is thrown away only by whoever says so.
 */
export function Dialog({ title, onClose, children }: DialogProps): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isLeaving, setLeaving] = useState(false);
  const written = useRef(new Set<WordsField>());
  // A dialog that is closed after it left the page would not give the focus back.
  useLayoutEffect(() => {
    const dialog = element.current!;
    if (!dialog.open) dialog.showModal();
    dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => dialog.close();
  }, []);
  function leave(): void {
    // What was sent is gone from the dialog, or emptied.
    if ([...written.current].some((one) => one.isConnected && one.value.trim() !== "")) setLeaving(true);
    else onClose();
  }
  function note({ target }: FormEvent): void {
    if (target instanceof Element && target.matches(IS_WORDS)) written.current.add(target as WordsField);
  }
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onInput={note}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      // The browser closes it itself at a second Escape.
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="plain" aria-label="Close" onClick={leave}>
          ×
        </button>
      </header>
      {isLeaving && <Leaving onStay={() => setLeaving(false)} onLeave={onClose} />}
      {children}
    </dialog>
  );
}

const focusNow = (button: HTMLButtonElement | null): void => button?.focus();

/** Asks before what was written is thrown away. */
const Leaving = ({ onStay, onLeave }: { onStay(): void; onLeave(): void }): ReactNode => (
  <div className="leaving row between" role="alert">
    <span>What you wrote here is not sent yet.</span>
    <span className="row">
      <button type="button" ref={focusNow} onClick={onStay}>
        Go on writing
      </button>
      <button type="button" className="danger" onClick={onLeave}>
        Throw it away
      </button>
    </span>
  </div>
);

interface ConfirmProps {
  title: string;
  /** What will happen, in words. */
  children: ReactNode;
  /** The verb on the button. */
  act: string;
  isBusy?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something that cannot simply be taken back. */
export const Confirm = ({ title, children, act, isBusy = false, onConfirm, onClose }: ConfirmProps): ReactNode => (
  <Dialog title={title} onClose={onClose}>
    <div>{children}</div>
    <footer className="row end">
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      <button type="button" className="danger" disabled={isBusy} onClick={onConfirm}>
        {act}
      </button>
    </footer>
  </Dialog>
);

interface ConfirmButtonProps {
  /** On the button that asks. */
  words: string;
  /** What it is called where several on a page have these words: it names its object. */
  label?: string;
  className?: string;
  title: string;
  /** The verb on the button that does it; `words` unless given. */
  act?: string;
  children: ReactNode;
  /** Does it; the question closes when it is done, and stays when it was refused. */
  run(): Promise<unknown>;
}

/** A button for what cannot simply be taken back: it asks first. */
export function ConfirmButton({
  words,
  label,
  className,
  title,
  act = words,
  children,
  run,
}: ConfirmButtonProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  async function confirm(): Promise<void> {
    setBusy(true);
    // Whoever runs it tells what was refused.
    const isDone = await run().then(
      () => true,
      () => false,
    );
    setBusy(false);
    if (isDone) setAsking(false);
  }
  return (
    <>
      <button type="button" className={className} aria-label={label} onClick={() => setAsking(true)}>
        {words}
      </button>
      {isAsking && (
        <Confirm
          title={title}
          act={act}
          isBusy={isBusy}
          onConfirm={() => void confirm()}
          onClose={() => setAsking(false)}
        >
          {children}
        </Confirm>
      )}
    </>
  );
}
