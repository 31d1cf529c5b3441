import fc from "fast-check";
import { lean, Metas } from "../../adapters/transporter/packets.ts";
import { Seen } from "../../adapters/transporter/dedup.ts";

const id = (count: number, name = "a-name_of-12"): string => `${name}-${count.toString(36)}`;

it("a number of a sender is new once, in whatever order numbers come", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom("one", "two"), fc.integer({ min: 1, max: 200_000 })), { maxLength: 300 }),
      (packets) => {
        const seen = new Seen();
        const before = new Set<string>();
        for (const [sender, count] of packets) {
          const key = `${sender} ${count}`;
          expect(seen.isNew(sender, id(count))).toBe(!before.has(key));
          before.add(key);
        }
      },
    ),
  );
});

it("says that it cannot tell of ids of another make, and of numbers that are long past", () => {
  const seen = new Seen();
  for (const other of ["0192d2f4-8a3c-7000-8000-0123456789ab", "plain", "-7", "name-0", "name-"])
    expect(seen.isNew("one", other)).toBeUndefined();
  expect(seen.isNew("one", id(1_000_000))).toBe(true);
  expect(seen.isNew("one", id(1_000_000 - 2 ** 18 + 1))).toBe(true);
  expect(seen.isNew("one", id(1_000_000 - 2 ** 18))).toBeUndefined();
  expect(seen.isNew("one", id(1_000_000))).toBe(false);
});

it("a sender that was started anew counts from the beginning; one that is not heard of is forgotten", () => {
  const seen = new Seen();
  expect([seen.isNew("one", id(5)), seen.isNew("one", id(5, "another-name"))]).toEqual([true, true]);
  seen.turn();
  expect(seen.isNew("one", id(5, "another-name"))).toBe(false);
  seen.turn();
  seen.turn();
  expect(seen.isNew("one", id(5, "another-name"))).toBe(true);
});

it("a request leaves without what says nothing, and with all that says something", () => {
  const full = {
    id: "1",
    action: "a.b",
    params: null,
    meta: { actor: 1 },
    headers: { h: 1 },
    timeout: 0,
    level: 1,
    tracing: false,
    parentID: "p",
    requestID: "r",
    caller: "c",
    stream: true,
    seq: 0,
  };
  expect(lean("REQ", full, new Metas(), "me", "5")).toEqual({ ver: "5", sender: "me", ...full });
  expect(
    lean(
      "REQ",
      {
        ...full,
        headers: {},
        timeout: undefined,
        tracing: null,
        parentID: null,
        requestID: null,
        caller: null,
        stream: false,
        seq: undefined,
      },
      new Metas(),
      "me",
      "5",
    ),
  ).toEqual({ ver: "5", sender: "me", id: "1", action: "a.b", params: null, meta: { actor: 1 }, level: 1 });
});

it("an answer tells of the meta only what the action changed", () => {
  const metas = new Metas();
  const meta: Record<string, unknown> = { actor: { userId: "u" }, origin: "o", gone: 1 };
  const answer = (id: string, given: Record<string, unknown>): unknown =>
    (lean("RES", { id, meta: given, success: true, data: null }, metas, "me", "5") as { meta?: unknown }).meta;
  metas.came({ id: "1", meta });
  expect(answer("1", meta)).toBeUndefined();
  metas.came({ id: "2", meta });
  meta["$statusCode"] = 201;
  meta["origin"] = "p";
  expect(answer("2", meta)).toEqual({ $statusCode: 201, origin: "p" });
  // What is known of a request ends with its answer; of what is not known all is told.
  expect(answer("2", meta)).toEqual(meta);
  expect(lean("RES", { id: "3", meta: {}, success: true, data: null, headers: {} }, metas, "me", "5")).toEqual({
    ver: "5",
    sender: "me",
    id: "3",
    meta: {},
    success: true,
    data: null,
  });
});
