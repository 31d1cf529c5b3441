import type { ReactNode } from "react";
import { Link } from "react-router";
import { Empty, Section } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import type { ObjectivePlan } from "./plan-draft.ts";

type TimedTask = ObjectivePlan["tasks"][number];
type Resource = ObjectivePlan["resources"][number];

const days = (count: number): string =>
  count === 1 ? "1 day" : `${count.toLocaleString("en", { maximumFractionDigits: 2 })} days`;

/** A plan as it stands, with what decides how long it takes. */
export function PlanShown({ plan }: { plan: ObjectivePlan }): ReactNode {
  const { linesOfEffort, tasks, measures, resources, assumed, problemSetId } = plan;
  const known = new Set(linesOfEffort.map(({ key }) => key));
  const loose = tasks.filter(({ lineOfEffort }) => lineOfEffort === undefined || !known.has(lineOfEffort));
  return (
    <>
      <Section title="What is done about it">
        <Summary plan={plan} />
        {linesOfEffort.map(({ key, name, description }) => (
          <div key={key}>
            <h3 dir="auto">{name}</h3>
            {description && <p className="muted">{description}</p>}
            <Tasks label={name} tasks={tasks.filter(({ lineOfEffort }) => lineOfEffort === key)} />
          </div>
        ))}
        {loose.length > 0 && (
          <div>
            {linesOfEffort.length > 0 && <h3>Other tasks</h3>}
            <Tasks label="Other tasks" tasks={loose} />
          </div>
        )}
        {!tasks.length && <Empty>No task is planned yet.</Empty>}
      </Section>
      {assumed.length > 0 && (
        <Section title="What the rules assumed">
          <ul>
            {assumed.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p className="muted">Change what is not so; what a person keeps is assumed no longer.</p>
        </Section>
      )}
      <div className="columns">
        <Section title="Measured by">
          {!measures.length && <Empty>Nothing says yet how one sees that it works.</Empty>}
          <ul className="list">
            {measures.map(({ indicator, unit = "", baseline = 0, target, dueAt }) => (
              <li key={`${indicator} ${target}`}>
                {indicator}: from {baseline} to {target} {unit}
                {dueAt && (
                  <small className="muted">
                    {" "}
                    by <Time at={dueAt} />
                  </small>
                )}
              </li>
            ))}
          </ul>
        </Section>
        <Section title="What it takes">
          {!resources.length && <Empty>Nothing says yet whom or what it takes.</Empty>}
          <ul className="list">
            {resources.map((one) => (
              <Needed key={one.key} resource={one} setId={problemSetId} />
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}

function Summary({ plan: { tasks, days: whole, criticalPath, method, version, updatedAt } }: { plan: ObjectivePlan }) {
  const names = new Map(tasks.map(({ key, name }) => [key, name]));
  return (
    <>
      {tasks.length > 0 && (
        <p>
          {many(tasks.length, "task")}, {days(whole)} in all.
          {criticalPath.length > 0 &&
            ` What decides that is the longest chain: ${criticalPath.map((key) => `${key} ${names.get(key)}`).join("; then ")}.`}
        </p>
      )}
      <small className="muted">
        Version {version}, <Time at={updatedAt} />; {method === "manual" ? "written by people" : "broken down by rules"}
      </small>
    </>
  );
}

const Tasks = ({ label, tasks }: { label: string; tasks: readonly TimedTask[] }): ReactNode => (
  <Table
    label={label}
    rows={tasks}
    keyOf={({ key }) => key}
    columns={TASK_COLUMNS}
    empty="No task stands in this line yet."
  />
);

const TASK_COLUMNS: readonly Column<TimedTask>[] = [
  { head: "Task", cell: ({ key, name }) => `${key} ${name}` },
  { head: "Takes", cell: (task) => days(task.days) },
  { head: "After", cell: ({ dependsOn }) => dependsOn.join(", ") || "nothing else" },
  { head: "With", cell: ({ resources }) => resources.join(", ") || "nothing named" },
  {
    head: "From the beginning",
    cell: ({ earliestStart, earliestFinish }) => `day ${earliestStart} to ${earliestFinish}`,
  },
  {
    head: "May slip",
    cell: ({ critical, slack }) => (critical ? <Badge tone="warn">not at all</Badge> : days(slack)),
  },
];

function Needed({ resource, setId }: { resource: Resource; setId: string }): ReactNode {
  const { key, name, quantity, status, match, why } = resource;
  return (
    <li>
      <p className="row">
        <span>
          {key} {name}
          {quantity !== undefined && `, ${quantity}`}
        </span>
        <Badge tone={status === "matched" ? "good" : "warn"}>{status === "matched" ? "found" : "not found"}</Badge>
      </p>
      <small className="muted">
        {match && (
          <>
            {match.type === "position" ? "The position " : "The resource "}
            <Link to={match.type === "position" ? `/workspace/${setId}/members` : `/picture/resources/${match.id}`}>
              {match.title}
            </Link>
            .{" "}
          </>
        )}
        {why}
      </small>
    </li>
  );
}
