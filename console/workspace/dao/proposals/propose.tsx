import { useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { useAct } from "../../../api/hooks.ts";
import { Field, Form, Select, TextField, type FormFields } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { measureWords, conditionWords } from "../choice-words.ts";
import type { DaoMeasure, VoteKind } from "../dao-types.ts";
import { KIND_WORDS, settingWords, whyNot } from "../rule-words.ts";
import { daoAddress, DaoPage, useDao, useMeasureNames } from "../use-dao.tsx";
import { MeasureDialog } from "./measure-dialog.tsx";

const KINDS = Object.entries(KIND_WORDS) as [VoteKind, string][];
const MOST_OPTIONS = 50;
const MOST_MEASURES = 20;

/** Writes a proposal: what is proposed, how it is voted on, and what the platform does if it passes. */
export function Propose(): ReactNode {
  const { dao, mine } = useDao();
  const go = useNavigate();
  const [kind, setKind] = useState<VoteKind>("basic");
  const [options, setOptions] = useState<readonly string[]>(["", ""]);
  const [measures, setMeasures] = useState<readonly DaoMeasure[]>([]);
  const [isAdding, setAdding] = useState(false);
  const create = useAct("POST /dao/{daoId}/proposals", {
    tellsRefusal: false,
    says: ({ data }) => (data.status === "active" ? "It is being voted on now." : "It is submitted."),
    then: ({ data }) => void go(`${daoAddress(dao)}/proposals/${data.id}`),
  });
  const named = options.map((one) => one.trim()).filter(Boolean);
  const submit = (fields: FormFields) =>
    create.mutateAsync({
      path: { daoId: dao.id },
      body: {
        title: fields["title"] ?? "",
        kind,
        ...(fields["description"] && { description: fields["description"] }),
        ...(fields["class"] && { class: fields["class"] }),
        ...(kind !== "basic" && { options: named }),
        measures: [...measures],
      },
    });
  const { propose } = mine.acts;
  return (
    <DaoPage
      title="Write a proposal"
      intro="It cannot be changed once it is submitted; you can withdraw it."
      acts={<Link to={daoAddress(dao)}>All proposals</Link>}
    >
      {propose.allowed ? (
        <section className="card" aria-label="Proposal">
          <Form act="Submit the proposal" onSubmit={submit} draft={`proposal in ${dao.id}`}>
            <Field label="Title" name="title" maxLength={200} required />
            <TextField
              label="What is proposed, and why"
              name="description"
              rows={8}
              maxLength={50_000}
              hint="Markdown is shown as such."
            />
            <ClassChoice />
            <Select
              label="Ballot"
              name="kind"
              value={kind}
              onChange={({ target }) => {
                setKind(target.value as VoteKind);
                // Conditions name options of the ballot before.
                setMeasures(measures.map(({ option: _gone, ...measure }) => measure as DaoMeasure));
              }}
              options={KINDS}
            />
            {kind !== "basic" && <Options options={options} set={setOptions} />}
            <MeasureList
              kind={kind}
              options={named}
              measures={measures}
              set={setMeasures}
              add={() => setAdding(true)}
            />
            <Forecast />
          </Form>
        </section>
      ) : (
        <p className="empty">You cannot propose here: {whyNot(propose.why)}</p>
      )}
      {/* Beside the form: what is submitted in the dialog is not the proposal. */}
      {isAdding && (
        <MeasureDialog
          kind={kind}
          options={named}
          onMade={(measure) => setMeasures([...measures, measure])}
          onClose={() => setAdding(false)}
        />
      )}
    </DaoPage>
  );
}

function ClassChoice(): ReactNode {
  const { classes } = useDao().dao.config;
  if (!classes.length) return null;
  const words = ({ rules }: (typeof classes)[number]): string =>
    settingWords(rules)
      .map(({ title, words: says }) => `${title.toLowerCase()}: ${says}`)
      .join("; ");
  return (
    <Select
      label="Class"
      name="class"
      hint="A class has rules of its own; the others are as in the DAO."
      options={[
        ["", "By the rules of the DAO"],
        ...classes.map((one) => [one.name, `${one.name} (${words(one) || "no other rules"})`] as const),
      ]}
    />
  );
}

interface OptionsProps {
  options: readonly string[];
  set(next: readonly string[]): void;
}

function Options({ options, set }: OptionsProps): ReactNode {
  return (
    <fieldset className="stack">
      <legend>Options to vote for</legend>
      {options.map((option, at) => (
        // Options have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="entry">
          <Field
            label={`Option ${at + 1}`}
            name={`options.${at}`}
            maxLength={500}
            value={option}
            onChange={({ target }) => set(options.with(at, target.value))}
            required={at < 2}
          />
          {options.length > 2 && (
            <button type="button" aria-label={`Remove option ${at + 1}`} onClick={() => set(options.toSpliced(at, 1))}>
              Remove
            </button>
          )}
        </div>
      ))}
      {options.length < MOST_OPTIONS && (
        <p>
          <button type="button" onClick={() => set([...options, ""])}>
            Add an option
          </button>
        </p>
      )}
    </fieldset>
  );
}

interface ListProps {
  kind: VoteKind;
  options: readonly string[];
  measures: readonly DaoMeasure[];
  set(next: readonly DaoMeasure[]): void;
  /** Asks for one more. */
  add(): void;
}

/** What the platform does if it passes: entries of the DAO's allow-list, in their order. */
function MeasureList({ kind, options, measures, set, add }: ListProps): ReactNode {
  const allowed = useDao().dao.config.measures;
  const names = useMeasureNames(measures);
  if (!allowed.length)
    return (
      <p className="muted">
        This DAO may carry nothing out by itself: the proposal is a resolution that people act on.
      </p>
    );
  return (
    <fieldset className="stack">
      <legend>What the platform does if it passes</legend>
      {measures.length ? (
        <ol className="options" aria-label="Measures">
          {measures.map((measure, at) => (
            // Measures have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at}>
              <span>
                {measureWords(measure, names)} <span className="muted">{conditionWords(kind, options, measure)}</span>
              </span>
              <button
                type="button"
                aria-label={`Remove measure ${at + 1}`}
                onClick={() => set(measures.toSpliced(at, 1))}
              >
                Remove
              </button>
            </li>
          ))}
        </ol>
      ) : (
        <p className="muted">Nothing: it is a resolution that people act on.</p>
      )}
      {measures.length < MOST_MEASURES && (
        <p>
          <button type="button" onClick={add}>
            Add a measure
          </button>
        </p>
      )}
    </fieldset>
  );
}

/** What comes next, by the rules of the DAO. */
function Forecast(): ReactNode {
  const { delaySeconds, periodSeconds, timelockSeconds } = useDao().dao.config;
  const words = new Map(
    settingWords({ delaySeconds, periodSeconds, timelockSeconds }).map((one) => [one.key, one.words]),
  );
  return (
    <Section title="What comes next">
      <dl>
        <dt>Wait before the voting</dt>
        <dd>{words.get("delaySeconds")}</dd>
        <dt>It lasts</dt>
        <dd>{words.get("periodSeconds")}</dd>
        <dt>Timelock</dt>
        <dd>{words.get("timelockSeconds")}</dd>
      </dl>
    </Section>
  );
}
