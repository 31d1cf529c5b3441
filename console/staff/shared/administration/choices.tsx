import type { ReactNode } from "react";
import { useId } from "react";

interface Choice {
  value: string;
  words: string;
  hint?: ReactNode;
}

/** One of several that each want a sentence of explanation. */
export function Choices({
  legend,
  name,
  value,
  options,
  onChoose,
}: {
  legend: string;
  name: string;
  value: string;
  options: readonly Choice[];
  onChoose(value: string): void;
}): ReactNode {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map((one) => (
        <OneChoice key={one.value} {...one} name={name} isChosen={one.value === value} onChoose={onChoose} />
      ))}
    </fieldset>
  );
}

interface OneChoiceProps extends Choice {
  name: string;
  isChosen: boolean;
  onChoose(value: string): void;
}

function OneChoice({ value, words, hint, name, isChosen, onChoose }: OneChoiceProps): ReactNode {
  const id = useId();
  return (
    <div className="check">
      <input
        id={id}
        type="radio"
        name={name}
        value={value}
        checked={isChosen}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={() => onChoose(value)}
      />
      <label htmlFor={id}>{words}</label>
      {hint && (
        <small id={`${id}-hint`} className="muted">
          {hint}
        </small>
      )}
    </div>
  );
}
