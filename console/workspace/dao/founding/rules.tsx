import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { ConfirmButton, Dialog } from "../../../parts/dialog.tsx";
import { Field, Form } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { useSet } from "../../set/use-set.tsx";
import type { DaoConfig } from "../dao-types.ts";
import { MEASURE_TITLES, settingWords, whyNot, type SettingWords } from "../rule-words.ts";
import { DaoPage, useDao } from "../use-dao.tsx";
import { AllowList, FurtherRules, MainRules, Makeup } from "./setting-fields.tsx";
import { changedSettings, measuresFrom, settingsFrom } from "./settings-form.ts";

type ProposalClass = DaoConfig["classes"][number];

/** How the DAO decides, in words; whoever may govern it changes that here. */
export function DaoRules(): ReactNode {
  const {
    dao,
    mine: {
      acts: { govern },
    },
  } = useDao();
  const [asked, setAsked] = useState<"rules" | "class">();
  const { classes, measures, ...config } = dao.config;
  return (
    <DaoPage
      title="Rules"
      intro="A proposal keeps the rules that it was submitted under: a change holds for later ones."
      acts={
        govern.allowed && (
          <button type="button" onClick={() => setAsked("rules")}>
            Change the rules
          </button>
        )
      }
    >
      {!govern.allowed && <p className="muted">You cannot change them here: {whyNot(govern.why)}</p>}
      <Section title="How it decides">
        <Table
          label="Rules of the DAO"
          rows={settingWords(config)}
          keyOf={({ key }) => key}
          columns={RULES}
          empty="There are no rules."
        />
      </Section>
      <Section title="What a passed proposal may do">
        {measures.length ? (
          <ul>
            {measures.map((name) => (
              <li key={name}>{MEASURE_TITLES[name]}</li>
            ))}
          </ul>
        ) : (
          <p className="empty">Nothing: its proposals are resolutions, which people carry out.</p>
        )}
      </Section>
      <Section
        title="Classes of proposals"
        acts={
          govern.allowed && (
            <button type="button" onClick={() => setAsked("class")}>
              Add a class
            </button>
          )
        }
      >
        <Classes classes={classes} mayChange={govern.allowed} />
      </Section>
      {asked === "rules" && <ChangeRules onClose={() => setAsked(undefined)} />}
      {asked === "class" && <AddClass onClose={() => setAsked(undefined)} />}
    </DaoPage>
  );
}

const RULES: readonly Column<SettingWords>[] = [
  { head: "Rule", cell: ({ title }) => title },
  { head: "What it says", cell: ({ words }) => words },
];

function ChangeRules({ onClose }: { onClose(): void }): ReactNode {
  const { dao } = useDao();
  const { maySet } = useSet();
  const change = useAct("PUT /dao/{daoId}/config", {
    tellsRefusal: false,
    says: "The rules are changed. They hold for proposals from now on.",
    then: onClose,
  });
  return (
    <Dialog title={`Rules of ${dao.name}`} onClose={onClose}>
      <Form
        act="Change"
        onSubmit={(fields) => {
          const measures = measuresFrom(fields);
          const kept = dao.config.measures.filter((name) => measures.includes(name));
          const added = measures.filter((name) => !kept.includes(name));
          const body = changedSettings(dao.config, { ...settingsFrom(fields), measures: [...kept, ...added] });
          return Object.keys(body).length ? change.mutateAsync({ path: { daoId: dao.id }, body }) : onClose();
        }}
      >
        <MainRules of={dao.config} />
        <Makeup of={dao.config} />
        <AllowList now={dao.config.measures} mayEmpower={maySet("dao:empower")} />
        <FurtherRules of={dao.config} />
      </Form>
    </Dialog>
  );
}

const CLASS_COLUMNS: readonly Column<ProposalClass>[] = [
  { head: "Class", cell: ({ name }) => name },
  {
    head: "What differs from the rules above",
    cell: ({ rules }) =>
      settingWords(rules)
        .map(({ title, words }) => `${title}: ${words}`)
        .join("; ") || "nothing",
  },
];

interface ClassesProps {
  classes: readonly ProposalClass[];
  mayChange: boolean;
}

function Classes({ classes, mayChange }: ClassesProps): ReactNode {
  const { dao } = useDao();
  const change = useAct("PUT /dao/{daoId}/config", { says: "The class is removed." });
  const remove = (name: string): ReactNode => (
    <ConfirmButton
      words="Remove"
      label={`Remove class ${name}`}
      className="danger"
      title={`Remove the class ${name}?`}
      run={() =>
        change.mutateAsync({
          path: { daoId: dao.id },
          body: { classes: classes.filter((one) => one.name !== name) },
        })
      }
    >
      <p>Proposals of the class that are submitted already keep its rules.</p>
    </ConfirmButton>
  );
  const acts: Column<ProposalClass>[] = mayChange
    ? [{ head: "Acts", isAct: true, cell: ({ name }) => remove(name) }]
    : [];
  return (
    <Table
      label="Classes of proposals"
      rows={classes}
      keyOf={({ name }) => name}
      columns={[...CLASS_COLUMNS, ...acts]}
      empty="None. A class gives some proposals rules of their own: a higher quorum for those that change the DAO, say."
    />
  );
}

function AddClass({ onClose }: { onClose(): void }): ReactNode {
  const { dao } = useDao();
  const change = useAct("PUT /dao/{daoId}/config", {
    tellsRefusal: false,
    says: "The class is added.",
    then: onClose,
  });
  return (
    <Dialog title="Add a class of proposals" onClose={onClose}>
      <Form
        act="Add the class"
        onSubmit={(fields) =>
          change.mutateAsync({
            path: { daoId: dao.id },
            body: { classes: [...dao.config.classes, { name: fields["name"] ?? "", rules: settingsFrom(fields) }] },
          })
        }
      >
        <Field
          label="Name"
          name="name"
          pattern="[a-z][a-z0-9\-]*"
          maxLength={40}
          hint="Small letters, digits and hyphens: charter, small-spending."
          required
        />
        <p>What you leave empty is as in the rules of the DAO.</p>
        <MainRules of={dao.config} isPartial />
        <FurtherRules of={dao.config} isPartial />
      </Form>
    </Dialog>
  );
}
