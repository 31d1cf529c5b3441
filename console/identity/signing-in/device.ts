const PROGRAMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  // Those first that call themselves by the others' names as well.
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\b(Headless)?Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "Mac"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
];
const nameIn = (table: typeof PROGRAMS, agent: string): string | undefined =>
  table.find(([pattern]) => pattern.test(agent))?.[1];

/** What a browser or program calls itself, in words: "Firefox on Windows"; programs by their own name. */
export function deviceOf(agent: string | undefined): string {
  if (!agent) return "a program without a name";
  const [program, system] = [nameIn(PROGRAMS, agent), nameIn(SYSTEMS, agent)];
  if (program && system) return `${program} on ${system}`;
  return program ?? agent.split(/[\s/]/, 1)[0]!.slice(0, 60);
}
