import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

// The benches run: each section for a moment, as `npm run bench` has it. What they measure then says nothing.

const run = ["bench/run.ts", "--quick"];
const { stderr } = spawnSync(process.execPath, [...run, "none"], { encoding: "utf8" });
const sections = /there are (.*)/.exec(stderr)![1]!.split(", ");

it.each(sections)(
  "%s",
  async (section) => {
    const bench = spawn(process.execPath, [...run, section], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [bench.stdout, bench.stderr])
      stream.on("data", (more) => {
        said += more;
      });
    const [code] = (await once(bench, "close")) as [number];
    expect([code, said]).toEqual([0, expect.stringMatching(/^## .*\n\n/m)]);
    expect(said).not.toMatch(/NaN|undefined/);
  },
  180_000,
);
