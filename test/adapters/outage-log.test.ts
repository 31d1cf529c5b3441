import { OutageLog, thin } from "../../adapters/transporter/outage-log.ts";

const lines: string[] = [];
const logger = {
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
