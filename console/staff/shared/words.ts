/** "open_mission", "problemSetId" as words: "Open mission", "Problem set id". */
export function spelled(name: string): string {
  const words = name
    .replaceAll(/[_-]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An amount of money in the currency of the settings, which nothing names. */
export const amountOf = (cost: number): string => cost.toLocaleString("en", { maximumSignificantDigits: 3 });

/** What acts of each class of the safety matrix do. */
export const CLASS_WORDS: Readonly<Record<string, string>> = {
  observe: "Reads what the person may read",
  analyse: "Computes, compares and summarises what it read",
  draft: "Writes drafts",
  annotate: "Comments on shared records, and marks them",
  "modify-shared": "Changes what others rely on",
  "communicate-inside": "Writes to members",
  "communicate-outside": "Sends something beyond the platform",
  "task-collection": "Tasks sensors and collectors",
  "allocate-resources": "Commits people, equipment, supplies",
  "task-units": "Gives units tasks",
  spend: "Pays, or promises to",
  "change-access": "Changes roles, compartments, credentials",
  "change-governance": "Changes gates and votes",
  irreversible: "Does what cannot be undone",
};

/** These are answered one by one, whatever somebody trusts the assistant with. */
export const NEVER_TRUSTED: readonly string[] = ["spend", "change-access", "change-governance", "irreversible"];

/** How much is left to an agent, 0 to 4. */
export const AUTONOMY_WORDS = [
  "A person does it: it only reads and says",
  "It proposes: a person decides each change",
  "It acts, and a person watches",
  "It acts within limits",
  "It acts alone",
] as const;

const article = (word: string): string => `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
/** "A planner or above". */
export const orAbove = (authority: string): string => {
  const words = `${article(authority)} or above`;
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Milliseconds as people say them: "40 ms", "1.4 s", "12 s", "3 min", "2 h". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::[\d.]+)?Z/g;
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
/** A text of the API with its moments as people read them, in their own time. */
export const inLocalTime = (text: string): string =>
  text.replaceAll(INSTANT, (instant) => moment.format(new Date(instant)));
