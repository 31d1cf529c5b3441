const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "full" });

/** Events under their days, in the order in which they come. */
export const byDay = <T extends { occurredAt: string }>(events: readonly T[]): [string, T[]][] => [
  ...Map.groupBy(events, ({ occurredAt }) => day.format(new Date(occurredAt))),
];
