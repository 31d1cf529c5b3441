import { fittingBest, MOST_ROWS, record, rowsIn, said, type Ask, type Passage, type RecordRow } from "../passages.ts";

/** An assumption as it stands: what is settled blocks nothing, and who withdrew it said why. */
function assumptionInWords({ name }: RecordRow, one: RecordRow): string {
  const { status, blocking, statement, rationale, reason, withdrawnByName } = one;
  const kind = blocking && status === "open" ? "Blocking assumption" : "Assumption";
  const by = status === "withdrawn" && withdrawnByName ? ` by ${withdrawnByName}` : "";
  const why = status === "withdrawn" && reason ? `Why the assumption was withdrawn${by}: ${reason}` : undefined;
  return said(`${kind} of ${name}, ${status}${by}: ${statement}`, rationale, why);
}

/** How far the decision process of a mission is, and what keeps it there. */
function processInWords({ name }: RecordRow, { title, blockers }: RecordRow): string {
  const stands = `The decision process of ${name} is in the phase ${title}`;
  const found: { message: string }[] = blockers ?? [];
  return found.length
    ? said(stands, ...found.map(({ message }) => `The next phase of ${name} is blocked: ${message}`))
    : said(stands, `Nothing blocks the next phase of ${name}`);
}

/** What is planned for a mission; one without a plan has neither a process nor assumptions. */
async function planOf(ask: Ask, row: RecordRow): Promise<Passage[]> {
  const [process, assumed] = await Promise.all([
    ask("mdmp.workflows.get", { missionId: row.id }).catch(() => null),
    ask("mdmp.assumptions.list", { missionId: row.id, limit: MOST_ROWS }).catch(() => null),
  ]);
  const passage = (of: RecordRow, text: string, path: string): Passage => ({
    ...record(
      "mission",
      { ...row, compartments: [...row.compartments, ...(of.compartments ?? [])] },
      row["name"],
      text,
    ),
    href: `/api/mdmp/workflows/${row.id}${path}`,
  });
  return [
    ...(process ? [passage(process, processInWords(row, process), "")] : []),
    ...((assumed?.data ?? []) as RecordRow[]).map((one) => passage(one, assumptionInWords(row, one), "/assumptions")),
  ];
}

/** Missions, how far their plans are, and what these assume. */
export async function missionsOf(ask: Ask, question: string, problemSetId: string): Promise<Passage[]> {
  const rows = await rowsIn(ask, "missions.list", problemSetId);
  const missions = rows.map((row) =>
    record(
      "mission",
      row,
      row["name"],
      said(`Mission ${row["name"]}: ${row["status"]}`, row["description"], row["objective"]),
    ),
  );
  const plans = await Promise.all(fittingBest(question, rows, missions).map((row) => planOf(ask, row)));
  return [...missions, ...plans.flat()];
}
