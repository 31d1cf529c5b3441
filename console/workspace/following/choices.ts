/** What can be followed: patterns of kinds of activity, and what they are called. */
export const FOLLOWED: readonly (readonly [pattern: string, words: string])[] = [
  ["gate.*", "gates"],
  ["mission.*", "missions"],
  ["workflow.*", "the decision process"],
  ["member.*", "members"],
  ["invitation.*", "invitations"],
  ["document.*", "documents"],
  ["rfi.*", "requests for information"],
  ["escalation.*", "escalations"],
  ["objective.*", "objectives"],
  ["proposal.*", "votes"],
  ["agent-approval.*", "what agents ask leave for"],
  ["layer.*", "the picture"],
  ["*", "everything"],
];
export const CHANNELS = [
  ["in-app", "here"],
  ["email", "by mail"],
  ["webhook", "to a program"],
] as const;
export const DIGESTS = [
  ["at-once", "at once"],
  ["hourly", "once an hour"],
  ["daily", "once a day"],
] as const;

const WORDS = new Map(FOLLOWED);
export const wordsOfKinds = (kinds: readonly string[]): string =>
  kinds.map((kind) => WORDS.get(kind) ?? kind.replace(".", ": ").replaceAll("-", " ")).join(", ");
