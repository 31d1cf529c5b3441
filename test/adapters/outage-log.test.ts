import { OutageLog } from "../../adapters/transporter/outage-log.ts";

const lines: string[] = [];
const logger = { warn: (line: string) => void lines.push(`warn ${line}`), info: (line: string) => void lines.push(`info ${line}`) };
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
  expect(lines).toEqual(["warn Redis (in): connect ECONNREFUSED", "warn Redis (in): connect ECONNREFUSED (59 more attempts failed meanwhile)", "info Redis (in): connected again."]);
});

it("tells of another reason at once", () => {
  const log = new OutageLog(logger, "Redis (in)");
  log.failed("connect ECONNREFUSED");
  log.failed("WRONGPASS");
  expect(lines).toEqual(["warn Redis (in): connect ECONNREFUSED", "warn Redis (in): WRONGPASS"]);
});
