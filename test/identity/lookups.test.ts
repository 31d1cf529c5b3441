import { Lookups } from "../../services/identity/identity/did-methods/lookups.ts";
import { Unresolved } from "../../services/identity/identity/did-methods/resolution.ts";

// What is asked of the servers of others: bounded waiting, and a circuit that is the host's own.

const said = (asked: Promise<unknown>): Promise<string> =>
  asked.then(String, (error: Error & { code?: number }) => `${error.code ?? error.name}: ${error.message}`);
const silent = () => new Promise<never>(() => {});
const refused = () => Promise.reject(new Unresolved("internalError", "It refuses the connection.", true));

it("one asker waits for eight, one host for thirty-two, all together for a hundred, and each wait ends", async () => {
  const lookups = new Lookups({ waitMs: 200 });
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Unresolved("internalError", "cut off", true)));
    });
  const waiting: Promise<string>[] = [];
  const wait = (host: string, asker: string) => waiting.push(said(lookups.ask(host, asker, untilAborted)));
  for (let n = 0; n < 8; n++) wait("silent.example", "stranger");
  expect(await said(lookups.ask("well.example", "stranger", async () => "document"))).toMatch(/^429: /);
  expect(await said(lookups.ask("well.example", "honest", async () => "document"))).toBe("document");
  for (let n = 0; n < 24; n++) wait("silent.example", `other ${n}`);
  expect(await said(lookups.ask("silent.example", "honest", silent))).toMatch(
    /^Unresolved: Too many wait for silent\.example/,
  );
  for (let n = 0; n < 68; n++) wait(`host${n}.example`, `further ${n}`);
  expect(await said(lookups.ask("well.example", "honest", async () => "document"))).toMatch(/^503: /);
  expect((await Promise.all(waiting)).filter((one) => !/does not answer in time|cut off/.test(one))).toEqual([]);
  expect(await said(lookups.ask("well.example", "stranger", async () => "document"))).toBe("document");
});

it("leaves the host alone that did not answer three times, and no other; asks it again by one, and forgets when it answers", async () => {
  let now = 0;
  const lookups = new Lookups({ leaveAloneMs: 30_000, now: () => now });
  for (let n = 0; n < 3; n++) expect(await said(lookups.ask("away.example", "anybody", refused))).toContain("refuses");
  expect(await said(lookups.ask("away.example", "honest", async () => "document"))).toContain("left alone");
  expect(await said(lookups.ask("well.example", "honest", async () => "document"))).toBe("document");
  now = 30_000;
  const trying = said(lookups.ask("away.example", "honest", async () => "document"));
  expect(await said(lookups.ask("away.example", "another", async () => "document"))).toContain("left alone");
  expect(await trying).toBe("document");
  expect(await said(lookups.ask("away.example", "another", async () => "document"))).toBe("document");
});

it("an answer is an answer, whatever is wrong with it", async () => {
  const lookups = new Lookups();
  const gone = () => Promise.reject(new Unresolved("notFound", "It has no such document."));
  for (let n = 0; n < 10; n++)
    expect(await said(lookups.ask("well.example", "anybody", gone))).toContain("no such document");
  expect(await said(lookups.ask("well.example", "honest", async () => "document"))).toBe("document");
});
