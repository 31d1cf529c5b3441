import { demo } from "../demos.ts";

it("walks a workspace: what each sees, a gate, a vote, an inheritance, a finding", async () => {
  const { code, out, err } = await demo("workspace");
  expect([code, err]).toEqual([0, ""]);
  // Whether each of Ilona, Petr and Jana sees it.
  const rows = out
    .split("\n")
    .map((line) => /^ {2}(\w+) {2,}(.+?) {2,}(sees|–) +(sees|–) +(sees|–)$/.exec(line)?.slice(2))
    .filter((row) => row !== undefined);
  expect(rows).toContainEqual(["Watch the Lipno dam", "–", "sees", "–"]);
  expect(rows).toContainEqual(["Bring out people who cannot leave alone", "–", "–", "sees"]);
  expect(rows.every(([, ilona]) => ilona === "–")).toBe(true);
  const text = out.replace(/\s+/g, " ");
  for (const told of [
    "Nobody reads themself into a compartment",
    'The decision gate "Evacuation order released" is open.',
    "Whoever submitted the gate cannot let it pass themself.",
    "the process is in mission-analysis",
    "The proposal is executed, the gate approved.",
    "2 : 1 : 0, the same as the tally",
    "Jana sees 1 change",
    "0 changes open",
    "under the operational control of Incident command Morava (opcon) and of Regional fire and rescue brigade (attached)",
  ])
    expect(text).toContain(told);
  expect(out).not.toContain("\u001B[");
}, 120_000);

it("says which demos there are", async () => {
  expect(await demo("none")).toEqual({
    code: 1,
    out: "",
    err: "There is no demo named none; there are news, workspace, strategy, graph, picture, edge, agents, assistant, serve, feeds.\n",
  });
});
