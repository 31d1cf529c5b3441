/** `leadTimeDays` as "lead time days". */
export const fieldInWords = (field: string): string => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A value of a field, whatever its form: "limited, leaks" for `{ readiness: "limited", reason: "leaks" }`. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) return value.map(valueInWords).join(", ");
  if (typeof value === "object") return Object.values(value).map(valueInWords).join(", ");
  return String(value);
}
