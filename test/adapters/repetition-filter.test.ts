import { Incoming } from "../../adapters/transporter/repetition-filter.ts";

/** What gets through to whoever handles packets. */
async function handled(packets: readonly (readonly [cmd: string, payload: object])[]): Promise<string[]> {
  const through: string[] = [];
  const handle = new Incoming().middleware.transitMessageHandler((cmd, { payload }) =>
    Promise.resolve(void through.push(`${cmd} ${payload?.sender} ${payload?.id} ${payload?.seq ?? "-"}`)),
  );
  for (const [cmd, payload] of packets) await handle(cmd, { payload: payload as never });
  return through;
}

it("requests and events that are sent again are handled once, other nodes' of the same id apart", async () => {
  const packets = ["REQ", "EVENT"].flatMap(
    (cmd) =>
      [
        [cmd, { sender: "a", id: "x-1" }],
        [cmd, { sender: "a", id: "x-1" }],
        [cmd, { sender: "b", id: "x-1" }],
      ] as const,
  );
  expect(await handled(packets)).toEqual(["REQ a x-1 -", "REQ b x-1 -", "EVENT a x-1 -", "EVENT b x-1 -"]);
});

it("each piece of a streamed answer is handled once, however late it comes again", async () => {
  const piece = (seq: number) => ["RES", { sender: "a", id: "x-1", seq, stream: true }] as const;
  expect(
    await handled([
      piece(0),
      piece(1),
      piece(1),
      piece(2),
      piece(1),
      ["RES", { sender: "a", id: "x-2" }],
      ["RES", { sender: "b", id: "x-1", seq: 1, stream: true }],
    ]),
  ).toEqual(["RES a x-1 0", "RES a x-1 1", "RES a x-1 2", "RES a x-2 -", "RES b x-1 1"]);
});
