import { openDocuments } from "../../../adapters/documents/index.ts";
import type { Documents } from "../../../core/records/documents.ts";
import { Wire } from "../../cut.ts";

// A server that goes while a collection is opened, its indexes made for the first time: refused politely, and forgotten
// when it is back.

const { MONGO_URL } = process.env;
const onServer = MONGO_URL ? it : it.skip;
const INDEXES = [{ fields: ["code"], unique: true, sparse: true }];
const POLITE = { code: 503, type: "OVERLOADED", data: { headers: { "Retry-After": expect.any(String) } } };
let wire: Wire | undefined;
let store: Documents | undefined;
afterEach(async () => {
  await wire?.stop();
  await store?.close();
  wire = store = undefined;
});

async function onWire(): Promise<Documents> {
  wire = await Wire.to(MONGO_URL!);
  const url = new URL(wire.of(MONGO_URL!));
  url.pathname = "/documents_away";
  return (store = openDocuments({ mongoUrl: url.href, dataDir: ":memory:" }));
}

onServer(
  "away from the beginning",
  async () => {
    const documents = await onWire();
    wire!.cut();
    await expect(documents.collection("letters", { indexes: INDEXES })).rejects.toMatchObject(POLITE);
    wire!.mend();
    expect(await (await documents.collection("letters", { indexes: INDEXES })).count()).toBe(0);
  },
  30_000,
);

onServer(
  "gone between one collection and the next, and back",
  async () => {
    const documents = await onWire();
    await documents.collection("letters");
    wire!.cut();
    await expect(documents.collection("stamps", { indexes: INDEXES })).rejects.toMatchObject(POLITE);
    wire!.mend();
    const stamps = await documents.collection("stamps", { indexes: INDEXES });
    expect(await stamps.count()).toBe(0);
  },
  30_000,
);
