import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { placeOf, type Place } from "../../place.ts";
import { STILL } from "../generation/tracks.ts";
import { pictureOf } from "../pictures.ts";
import { symbolRefusal } from "../symbols/symbols.ts";
import { symbolTables, type SymbolTables } from "../symbols/tables.ts";
import { backdate, type Late } from "./backdating.ts";
import { symbolOfType } from "./cot.ts";
import { readDetail } from "./detail.ts";
import { REMOVAL, Report, ReportGiven, reportId, reportRefusal, type RefusedReport } from "./reports.ts";

/** Written side by side. */
const TOGETHER = 50;

export interface ReportIntake {
  taken: number;
  late: number;
  removed: number;
  failed: ({ index: number } & RefusedReport)[];
}
type Known = Map<string, Report>;

/** Takes reports in, each by itself, the last of each uid by when it was made. Answers the ids of those that changed. */
export async function takeReports(
  host: Host,
  ctx: Ctx<unknown>,
  place: Place,
  given: readonly unknown[],
): Promise<ReportIntake & { changed: string[] }> {
  const outcome: ReportIntake & { changed: string[] } = { taken: 0, late: 0, removed: 0, failed: [], changed: [] };
  const tables = await symbolTables();
  const now = host.world.clock.now();
  const good = given.flatMap((one, index) => checked(one, index, now, tables, outcome));
  const newest = new Map<string, ReportGiven>();
  const late: { id: string; report: ReportGiven }[] = [];
  for (const report of good) {
    const id = reportId(pictureOf(place), place.compartments, report.removes ?? report.uid);
    const other = newest.get(id);
    const isNewer = !other || Date.parse(other.time) < Date.parse(report.time);
    if (isNewer) newest.set(id, report);
    if (other) {
      outcome.late++;
      late.push({ id, report: isNewer ? other : report });
    }
  }
  const known: Known = new Map((await host.store(Report).many(ctx, [...newest.keys()])).map((one) => [one.id, one]));
  const all = [...newest];
  for (let from = 0; from < all.length; from += TOGETHER)
    await Promise.all(
      all.slice(from, from + TOGETHER).map(async ([id, report]) => {
        const became = await put(host, ctx, place, id, report, known.has(id), tables);
        outcome[became]++;
        // What holds until it is taken away was gone from then on, however long the word of it took.
        if (became !== "taken") late.push({ id, report });
        if (became !== "late") outcome.changed.push(id);
      }),
    );
  await backdate(host, pictureOf(place), await pastOf(host, ctx, late, tables));
  return outcome;
}

/** Late reports that say where something was, or that it was gone, before what is known of it now. */
async function pastOf(
  host: Host,
  ctx: Ctx<unknown>,
  late: readonly { id: string; report: ReportGiven }[],
  tables: SymbolTables,
): Promise<Late[]> {
  const said = late.filter(({ report }) => report.location !== undefined || report.type.startsWith(REMOVAL));
  const known = new Map(
    (
      await host.store(Report).many(
        ctx,
        said.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  );
  return said.flatMap(({ id, report }) => {
    const [at, now] = [iso(Date.parse(report.time)), known.get(id)];
    if (!now || at > now.at) return [];
    if (report.type.startsWith(REMOVAL))
      return at < now.at || now.gone ? [{ report: { ...now, at, gone: true }, until: now.gone ? STILL : now.at }] : [];
    if (at === now.at) return [];
    const { rev, updatedAt, createdAt, uid } = now;
    const past = { ...placeOf(now), id, rev, updatedAt, createdAt, uid, at, ...present(fieldsOf(report, tables)) };
    return [{ report: past as Report, until: now.at }];
  });
}

function checked(
  one: unknown,
  index: number,
  now: number,
  tables: SymbolTables,
  { failed }: ReportIntake,
): ReportGiven[] {
  const { data, error } = ReportGiven.safeParse(one);
  const issue = error?.issues[0];
  if (!data) {
    failed.push({ index, code: "INVALID", message: issue!.message, path: issue!.path.join(".") });
    return [];
  }
  const refused = reportRefusal(data, now);
  const wrong = refused || data.symbol === undefined ? null : symbolRefusal(data.symbol, null, tables);
  if (!refused && wrong === null) {
    const read = data.detail === undefined ? undefined : readDetail(data.detail);
    if (!read) return [data];
    if (!("wrong" in read)) return [{ ...data, detail: read.detail }];
    failed.push({ index, code: "INVALID", message: read.wrong, path: "detail" });
    return [];
  }
  failed.push({ index, ...(refused ?? { code: "INVALID_SYMBOL", message: wrong!, path: "symbol" }) });
  return [];
}

async function put(
  host: Host,
  ctx: Ctx<unknown>,
  place: Place,
  id: string,
  report: ReportGiven,
  isKnown: boolean,
  tables: SymbolTables,
): Promise<"taken" | "late" | "removed"> {
  const store = host.store(Report);
  const at = iso(Date.parse(report.time));
  const isRemoval = report.type.startsWith(REMOVAL);
  const fields = isRemoval ? { gone: true, at } : fieldsOf(report, tables);
  if (!isKnown) {
    if (isRemoval) return "late";
    const { made } = await store.createOnce(ctx, { ...present(fields), ...place, id, uid: report.uid, at });
    if (made) return "taken";
  }
  const changed = await store.amend(ctx, id, (before) => (before.at >= at ? null : { ...fields, at }));
  return changed ? (isRemoval ? "removed" : "taken") : "late";
}

/** Null for what it does not say, so that nothing of the one before is left. */
function fieldsOf(
  { type, how, name, uid, symbol, location, heightAccuracy, detail, attributes, time, start, stale }: ReportGiven,
  tables: SymbolTables,
) {
  return {
    type,
    how: how ?? null,
    name: name ?? uid,
    symbol: symbol ?? symbolOfType(type, tables) ?? null,
    location: location!,
    heightAccuracy: heightAccuracy ?? null,
    detail: detail || null,
    attributes: attributes ?? null,
    startAt: start === undefined || start === time ? null : iso(Date.parse(start)),
    staleAt: iso(Date.parse(stale)),
    gone: false,
  };
}

const present = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
