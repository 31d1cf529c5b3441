import type { ListRow } from "../../../api/client.ts";
import { many } from "../../../parts/texts.tsx";

export type SupplyShown = ListRow<"GET /resources/consumables">;

const figure = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
export const amount = ({ unit }: Pick<SupplyShown, "unit">, of: number): string => `${figure.format(of)} ${unit}`;

const inDays = (days: number): string => (days < 1 ? "less than a day" : many(Math.floor(days), "day"));

/** For how long it lasts, and at what use. */
export function lasts(supply: SupplyShown): string {
  if (supply.daysLeft === null) return "not known yet";
  return `${inDays(supply.daysLeft)}, at ${amount(supply, supply.perDay)} a day`;
}

/** Why it is short. */
export function whyShort(supply: SupplyShown): string {
  const { low, minimum, leadTimeDays, daysLeft } = supply;
  if (low?.reason === "forecast")
    return `It lasts ${daysLeft === null ? "less" : inDays(daysLeft)}, and more comes in ${many(leadTimeDays ?? 0, "day")} at best.`;
  return `It is short from ${amount(supply, minimum)} on.`;
}
