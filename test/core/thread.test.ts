import { Thread } from "../../core/work/thread.ts";

interface Task {
  numbers: number[];
  dies?: boolean;
  hangs?: boolean;
}
const MODULE = new URL("../fixtures/threads/sums.ts", import.meta.url);
const adding = (mostMs?: number) => new Thread<Task, { sum: number; nth: number }>(MODULE, mostMs);

it("does what it is asked one after the other, and tells each who asked what came of theirs", async () => {
  const thread = adding();
  const given = [[1, 2, 3, 4, 5, 6], [7], [-1], [], [8, 9]];
  const came = await Promise.allSettled(given.map((numbers) => thread.ask({ numbers })));
  expect(came.map((one) => (one.status === "fulfilled" ? one.value : one.reason.message))).toEqual([
    { sum: 21, nth: 1 },
    { sum: 7, nth: 2 },
    "A number is negative.",
    { sum: 0, nth: 3 },
    { sum: 17, nth: 4 },
  ]);
  const isNoData = { numbers: [() => 1] } as unknown as Task;
  await expect(thread.ask(isNoData)).rejects.toThrow(/could not be cloned/);
  expect(await thread.ask({ numbers: [5] })).toEqual({ sum: 5, nth: 5 });
});

it("loses with a thread that dies what it had in hand alone: who waits is served by a new one", async () => {
  const thread = adding();
  const came = await Promise.allSettled([
    thread.ask({ numbers: [1] }),
    thread.ask({ numbers: [], dies: true }),
    thread.ask({ numbers: [2] }),
  ]);
  expect(came).toEqual([
    { status: "fulfilled", value: { sum: 1, nth: 1 } },
    { status: "rejected", reason: new Error("The thread ended without an answer.") },
    { status: "fulfilled", value: { sum: 2, nth: 1 } },
  ]);
});

it("gives up what never ends, and goes on with the next", async () => {
  // Long enough for a thread to start on a machine that does much else.
  const thread = adding(5_000);
  const endless = thread.ask({ numbers: [], hangs: true });
  const next = thread.ask({ numbers: [4] });
  await expect(endless).rejects.toThrow("It took too long in its thread.");
  expect(await next).toEqual({ sum: 4, nth: 1 });
});
