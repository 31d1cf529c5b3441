import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { SetPage, useSet } from "../set/use-set.tsx";
import { EscalateDialog } from "./escalate.tsx";
import { RuleDialog } from "./rule.tsx";

type Rule = ListRow<"GET /problem-sets/{id}/escalation-rules">;
type Fired = ListRow<"GET /problem-sets/{id}/escalations">;

/** What may not stay as it is for long, who is told then, and what was escalated. */
export function Escalations(): ReactNode {
  const { set, maySet } = useSet();
  const [asked, setAsked] = useState<"rule" | "fire">();
  const path = { id: set.id };
  const rules = useAnswer("GET /problem-sets/{id}/escalation-rules", [{ path, query: { limit: 100 } }]);
  const fired = useAnswer("GET /problem-sets/{id}/escalations", [{ path, query: { limit: 50 } }]);
  const manages = maySet("escalations:manage");
  return (
    <SetPage
      title="Escalations"
      intro="Where something waits for too long, somebody above is told: by a rule, or because you say so."
      acts={
        <>
          {manages && (
            <button type="button" onClick={() => setAsked("rule")}>
              Add a rule
            </button>
          )}
          {maySet("escalations:fire") && (
            <button type="button" className="primary" onClick={() => setAsked("fire")}>
              Escalate something now
            </button>
          )}
        </>
      }
    >
      <Section title="Rules">
        <Shown of={rules}>
          {({ data }) => (
            <Table
              label="Rules"
              rows={data}
              keyOf={({ id }) => id}
              columns={manages ? [...RULES, RULE_ACTS] : RULES}
              empty="There is none. A rule says for instance: a submitted gate that nobody decides within an hour is told to the commanders."
            />
          )}
        </Shown>
      </Section>
      <Section title="What was escalated">
        <Shown of={fired}>
          {({ data }) => (
            <Table
              label="What was escalated"
              rows={data}
              keyOf={({ id }) => id}
              columns={FIRED}
              empty="Nothing that you may know of."
            />
          )}
        </Shown>
      </Section>
      {asked === "rule" && <RuleDialog onClose={() => setAsked(undefined)} />}
      {asked === "fire" && <EscalateDialog onClose={() => setAsked(undefined)} />}
    </SetPage>
  );
}

const whom = (target: Fired["target"]): string =>
  "role" in target ? `every ${target.role}` : (target.didName ?? target.did);

const RULES: readonly Column<Rule>[] = [
  { head: "Rule", cell: ({ name }) => name },
  { head: "If it stays", cell: ({ condition: { about, state } }) => `a ${WORDS[about]} stays ${state}` },
  { head: "For", cell: ({ delayMinutes }) => inHours(delayMinutes) },
  { head: "This is told to", cell: ({ target }) => whom(target) },
];
const WORDS = { gate: "gate", rfi: "request for information", mission: "mission", proposal: "vote" };
const RULE_ACTS: Column<Rule> = { head: "Acts", isAct: true, cell: (rule) => <RemoveRule {...rule} /> };

const inHours = (minutes: number): string =>
  minutes % 60 === 0 ? many(minutes / 60, "hour") : many(minutes, "minute");

function RemoveRule({ id: ruleId, problemSetId, name }: Rule): ReactNode {
  const remove = useAct("DELETE /problem-sets/{id}/escalation-rules/{ruleId}", { says: `${name} no longer holds.` });
  return (
    <button
      type="button"
      aria-label={`Remove the rule ${name}`}
      disabled={remove.isPending}
      onClick={() => remove.mutate({ path: { id: problemSetId, ruleId } })}
    >
      Remove
    </button>
  );
}

const FIRED: readonly Column<Fired>[] = [
  { head: "Why", cell: ({ reason }) => reason },
  { head: "Told to", cell: ({ target, told }) => `${whom(target)} (${many(told, "person", "people")})` },
  {
    head: "By",
    cell: ({ ruleId, createdBy, createdByName }) => (ruleId ? "a rule" : (createdByName ?? createdBy)),
  },
  { head: "When", cell: ({ firedAt }) => <Time at={firedAt} /> },
];
