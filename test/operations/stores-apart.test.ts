import { eventually, itInside, world } from "../mesh.ts";

itInside("two nodes that share a transporter and no store say so, each once", async () => {
  const inOneMesh = (nodeID: string) =>
    world({ NAMESPACE: "stores-apart" }, { options: { transporter: "Fake", nodeID } });
  const first = await inOneMesh("first");
  const said: string[] = [];
  first.mesh.broker.logger.error = (line) => void said.push(line);
  try {
    if (first.mesh.world.documents.kind !== "embedded") return;
    const second = await inOneMesh("second");
    try {
      await eventually(
        () => said,
        ({ length }) => length > 0,
      );
    } finally {
      await second.stop();
    }
    expect(said).toEqual([expect.stringMatching(/^Node second runs \d+ services .* in another store: .*MONGO_URL\.$/)]);
  } finally {
    await first.stop();
  }
});
