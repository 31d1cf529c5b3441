import { storeAway } from "../../core/problem.ts";
import { OutageLog, Outages, thin } from "../../core/work/outage-log.ts";

const lines: string[] = [];
const logger = {
  error: (line: string) => void lines.push(`error ${line}`),
  warn: (line: string) => void lines.push(`warn ${line}`),
  info: (line: string) => void lines.push(`info ${line}`),
};
let now = 0;
beforeEach(() => {
  lines.length = now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

it("tells of an outage when it begins, every half minute, and when it is over", () => {
  const log = new OutageLog(logger, "Redis (in)");
  log.worked();
  for (; now < 45_000; now += 500) log.failed("connect ECONNREFUSED");
  log.worked();
  log.worked();
  expect(lines).toEqual([
    "warn Redis (in): connect ECONNREFUSED",
    "warn Redis (in): connect ECONNREFUSED (59 more attempts failed meanwhile)",
    "info Redis (in): connected again.",
  ]);
});

it("tells of each further reason at once, and of none twice in a row of both", () => {
  const log = new OutageLog(logger, "Redis (in)");
  for (let n = 0; n < 5; n++) {
    log.failed("read ECONNRESET");
    log.failed("WRONGPASS");
  }
  expect(lines).toEqual(["warn Redis (in): read ECONNRESET", "warn Redis (in): WRONGPASS"]);
});

it("takes from a logger's errors those that tell of an outage", () => {
  const errors: unknown[][] = [];
  const own = { ...logger, error: (...given: unknown[]) => void errors.push(given) };
  thin(own, "Calls go elsewhere", (carried) => (carried instanceof RangeError ? carried.message : undefined));
  for (let n = 0; n < 3; n++) own.error("Unable to send.", new RangeError("Node a does not listen."));
  own.error("Something else.", new TypeError("x"));
  expect(lines).toEqual(["warn Calls go elsewhere: Node a does not listen."]);
  expect(errors).toEqual([["Something else.", expect.any(TypeError)]]);
});

it("tells once of a server that fails a whole node's work, why, and when the last of it goes on", () => {
  const outages = new Outages(logger);
  const away = () => storeAway(new Error("connect ECONNREFUSED 192.0.2.1:27017"));
  const all = Array.from({ length: 40 }, (_, n) => `Schedule domain.${n}`);
  for (; now < 45_000; now += 1_000) for (const who of all) outages.failed(who, away());
  for (const who of all) outages.worked(who);
  for (const who of all) outages.worked(who);
  const why = "The document store does not answer at the moment. · connect ECONNREFUSED 192.0.2.1:27017";
  expect(lines).toEqual([
    `warn Background work: ${why}`,
    `warn Background work: ${why} (1199 more attempts failed meanwhile)`,
    "info Background work: goes on again. It was: The document store does not answer at the moment.",
  ]);
});

it("tells of a defect by whoever meets it, as an error", () => {
  const outages = new Outages(logger);
  for (let n = 0; n < 3; n++) outages.failed("Schedule dao.tend", new TypeError("x is undefined"));
  outages.failed("Schedule gates.remind", new TypeError("x is undefined"));
  outages.failed("Schedule dao.tend", new TypeError("y is undefined"));
  outages.worked("Schedule dao.tend");
  expect(lines).toEqual([
    "error Schedule dao.tend: x is undefined",
    "error Schedule gates.remind: x is undefined",
    "info Schedule dao.tend: works again.",
    "error Schedule dao.tend: y is undefined",
    "info Schedule dao.tend: works again.",
  ]);
});
