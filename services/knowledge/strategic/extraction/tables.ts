import type { Judged } from "./candidates.ts";
import { deadlinesIn } from "./deadline.ts";
import { columnOf } from "./headings.ts";

/** What stands in a cell in which nothing is aimed at. */
const EMPTY =
  /^(?:none|n\/?a|nil|not applicable|unchanged|no change|tb[dca]|to be (?:confirmed|determined|agreed)|vacant|post vacant|as above|ditto|not (?:yet )?(?:set|agreed|decided)|[–—-])(?:\b|$)|\b(?:see|refer to) (?:the )?(?:annex|appendix|section|table|page|note|above|below|strategy|plan)\b/i;
/** A cell that says what became of the row. */
const OVER =
  /^(?:done|completed?|closed|achieved|met|dropped|rejected|withdrawn|cancelled|deferred|on hold|not pursued|superseded)\b/i;
const FEWEST = 3;
/** Figures with their units only: "95% by June". */
const VALUE = /^[<>≤≥~\d\s.,%€$£/–-]+(?:\p{L}{1,12}){0,1}(?:\s(?:by|per|a|from)\s[\p{L}\d\s]{1,20})?$/u;

const saysSomething = ({ source, signs: { words } }: Judged): boolean =>
  words.length >= FEWEST && !EMPTY.test(source.trim()) && !VALUE.test(source.trim());

/** The cell below the head of objectives; of aims where no column has that head. */
function cellByHead(cells: readonly Judged[], heads: readonly string[]): Judged | undefined {
  const kinds = heads.map(columnOf);
  const at = kinds.includes("objective") ? kinds.indexOf("objective") : kinds.indexOf("aimed");
  return at < 0 ? undefined : cells[at];
}

/** A row of a table: the cell with the objective, and measure and deadline from the others. */
export function judgedRow(cells: readonly Judged[]): Judged[] {
  const heads = cells[0]?.passage.heads;
  const headed = heads && cellByHead(cells, heads);
  if (headed && !saysSomething(headed)) return [];
  const one = headed ?? cells.find(({ signs: { directive } }) => directive);
  if (!one || cells.some((cell) => cell !== one && OVER.test(cell.source.trim()))) return [];
  const judged = headed ? [headed] : cells;
  if (judged.some(({ signs: { against } }) => against && against !== "past")) return [];
  const others = cells.filter((cell) => cell !== one);
  const due = others.flatMap(({ source }) => deadlinesIn(`by ${source}`));
  const measured =
    others.find(({ signs: { measures } }) => measures.length && !due.length) ??
    others.find(({ signs: { measures } }) => measures.length);
  const measures = one.signs.measures.length ? one.signs.measures : (measured?.signs.measures ?? []);
  const source = one.signs.measures.length || !measured ? one.source : measured.source;
  const passage = headed ? { ...one.passage, heading: { means: "objective" as const, distance: 0 } } : one.passage;
  const signs = { ...one.signs, measures, deadlines: [...one.signs.deadlines, ...due] };
  return [{ ...one, passage, source, signs, ...(headed && { isHeaded: true }) }];
}
