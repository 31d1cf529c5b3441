import { documentsOf, fact, resourcesOf, rowsOf, said } from "../passages.ts";
import { missionsOf } from "./plans.ts";
import { proposalsOf } from "./proposals.ts";
import { requestsOf } from "./requests.ts";

/** How what lies in a problem set is read, by kind. */
export const IN_SET = {
  document: documentsOf,
  objective: rowsOf("objective", "strategic.objectives.list", (row) => [
    row["statement"],
    said(row["statement"], `Status of this objective: ${row["status"]}`),
  ]),
  gate: rowsOf("gate", "gates.list", (row) => [
    row["name"],
    said(`Gate ${row["name"]}: ${row["status"]}`, row["description"]),
  ]),
  mission: missionsOf,
  proposal: proposalsOf,
  request: requestsOf,
  resource: resourcesOf,
  consumable: rowsOf("consumable", "resources.consumables.list", (row) => [
    row["name"],
    said(
      fact("Supplies", row["name"], `${row["level"]} ${row["unit"]}`),
      fact("Minimum", row["name"], `${row["minimum"]} ${row["unit"]}`),
      row["low"] && `${row["name"]} is running low, short of supplies: ${row["level"]} ${row["unit"]} are left`,
    ),
  ]),
  sensor: rowsOf("sensor", "sensors.list", (row) => [
    row["name"],
    said(`Sensor ${row["name"]}, ${row["kind"]}: ${row["status"]}`),
  ]),
} as const;
