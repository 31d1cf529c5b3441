import { useId, useState, type ReactNode } from "react";
import { Field } from "../../../parts/form.tsx";
import { movedBy, optionField, votesBought } from "../choice-words.ts";
import type { DaoChoice, Proposal, ProposalStanding } from "../dao-types.ts";

interface BallotProps {
  proposal: Proposal;
  mine: ProposalStanding;
  ranking: readonly number[];
  rank(next: readonly number[]): void;
}

/** The ballot that fits the kind of vote. */
export function BallotFields({ proposal, mine, ranking, rank }: BallotProps): ReactNode {
  const { kind, options } = proposal;
  const before = mine.vote?.choice;
  switch (kind) {
    case "basic":
      return (
        <Marks
          legend="I am"
          options={options}
          valueOf={(at) => options[at]!}
          isMarked={(at) => before === options[at]}
        />
      );
    case "single":
      return <Marks legend="My option" options={options} valueOf={String} isMarked={(at) => before === at} />;
    case "approval":
      return (
        <Marks
          legend="All that I approve of"
          options={options}
          isSeveral
          valueOf={String}
          isMarked={(at) => Array.isArray(before) && (before as number[]).includes(at)}
        />
      );
    case "quadratic":
      return <Credits options={options} power={mine.power} before={before} />;
    case "ranked":
      return <Ranking options={options} ranking={ranking} rank={rank} />;
  }
}

interface MarksProps {
  legend: string;
  options: readonly string[];
  isSeveral?: boolean;
  valueOf(at: number): string;
  isMarked(at: number): boolean;
}

function Marks({ legend, options, isSeveral = false, valueOf, isMarked }: MarksProps): ReactNode {
  const id = useId();
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map((option, at) => (
        <div key={option} className="check">
          <input
            id={`${id}-${at}`}
            type={isSeveral ? "checkbox" : "radio"}
            name={isSeveral ? optionField(at) : "choice"}
            value={valueOf(at)}
            defaultChecked={isMarked(at)}
          />
          <label htmlFor={`${id}-${at}`}>{option}</label>
        </div>
      ))}
    </fieldset>
  );
}

interface CreditsProps {
  options: readonly string[];
  power: string;
  before: DaoChoice | undefined;
}

/** Credits spread over options: each option gets the root of what is spent on it. */
function Credits({ options, power, before }: CreditsProps): ReactNode {
  const given = new Map(
    Array.isArray(before)
      ? (before as { option: number; credits: number }[]).map((one) => [one.option, one.credits])
      : [],
  );
  const [credits, setCredits] = useState(() => options.map((_, at) => given.get(at) ?? 0));
  const bought = votesBought(power, credits);
  return (
    <fieldset className="stack">
      <legend>My credits</legend>
      <p className="muted">
        Your power is spent in these proportions. An option gets the root of what is spent on it: to spread is stronger
        than to heap.
      </p>
      {options.map((option, at) => (
        <Field
          key={option}
          label={option}
          name={optionField(at)}
          type="number"
          min={0}
          max={1_000_000}
          step={1}
          value={credits[at] || ""}
          placeholder="0"
          onChange={({ target }) => setCredits(credits.with(at, Math.max(0, Number(target.value))))}
          hint={`${bought[at]!.toLocaleString("en", { maximumFractionDigits: 2 })} votes of your own power`}
        />
      ))}
    </fieldset>
  );
}

type RankingProps = Pick<BallotProps, "ranking" | "rank"> & { options: readonly string[] };

/** Options in order, the best first; what is left out gets nothing. */
function Ranking({ options, ranking, rank }: RankingProps): ReactNode {
  const left = options.flatMap((_, at) => (ranking.includes(at) ? [] : [at]));
  return (
    <fieldset className="stack">
      <legend>My order, the best first</legend>
      {ranking.length > 0 && (
        <ol className="options" aria-label="My order">
          {ranking.map((option, at) => (
            <li key={option}>
              <span>
                {at + 1}. {options[option]}
              </span>
              <span className="row">
                <Move
                  words="Up"
                  of={options[option]!}
                  isOff={at === 0}
                  act={() => rank(movedBy(ranking, option, -1))}
                />
                <Move
                  words="Down"
                  of={options[option]!}
                  isOff={at === ranking.length - 1}
                  act={() => rank(movedBy(ranking, option, 1))}
                />
                <Move
                  words="Leave out"
                  of={options[option]!}
                  act={() => rank(ranking.filter((one) => one !== option))}
                />
              </span>
            </li>
          ))}
        </ol>
      )}
      {left.length > 0 && (
        <ul className="options" aria-label="Not in my order">
          {left.map((option) => (
            <li key={option}>
              <span>{options[option]}</span>
              <Move words="Add" of={options[option]!} act={() => rank([...ranking, option])} />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

interface MoveProps {
  words: string;
  of: string;
  isOff?: boolean;
  act(): void;
}
const Move = ({ words, of: option, isOff = false, act }: MoveProps): ReactNode => (
  <button type="button" aria-label={`${words}: ${option}`} disabled={isOff} onClick={act}>
    {words}
  </button>
);
