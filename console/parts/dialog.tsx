import { useEffect, useId, useRef, useState, type ReactNode } from "react";

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** A modal dialog of the browser's own: it keeps the focus inside, closes by Escape, and gives the focus back. */
export function Dialog({ title, onClose, children }: DialogProps): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current!;
    if (!dialog.open) dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="plain" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}

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
