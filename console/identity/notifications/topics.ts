/** Groups of what happens in a problem set, as the API's patterns of kinds, in words. */
export const TOPICS: readonly (readonly [pattern: string, words: string])[] = [
  ["*", "everything"],
  ["gate.*", "gates: submitted, decided, escalated"],
  ["member.*", "members: joined, changed, left"],
  ["invitation.*", "invitations"],
  ["compartment.*", "compartments"],
  ["mission.*", "missions"],
  ["workflow.*", "the decision process"],
  ["direction.*", "direction from above"],
  ["objective.*", "objectives"],
  ["document.*", "documents"],
  ["rfi.*", "requests for information"],
  ["proposal.*", "proposals to vote on"],
  ["layer.*", "layers of the picture"],
  ["resource.*", "resources"],
  ["agent-approval.*", "acts of agents that wait for approval"],
  ["problem-set.*", "the set itself"],
];

/** "gates: …; members: …", and a kind that is in no group by its own name. */
export function topicsInWords(kinds: readonly string[], text?: string): string {
  const words = kinds.map((kind) => TOPICS.find(([pattern]) => pattern === kind)?.[1] ?? kind.replace(".", ": "));
  return `${words.join("; ")}${text ? `, if it speaks of “${text}”` : ""}`;
}
