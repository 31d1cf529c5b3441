/** What a field for date and time says, in the time zone of whoever fills it in, as the API wants it. */
export const instantOf = (local: string): string => new Date(local).toISOString();

/** An instant as such a field wants it. */
export function localOf(instant: string | undefined): string {
  if (!instant) return "";
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
