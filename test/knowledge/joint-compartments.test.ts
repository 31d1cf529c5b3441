import { Execution } from "../../services/staff/agents/executions/executions.ts";
import { world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { put } from "./documents.requests.ts";

// A person names at most twenty compartments; what is made of several records lies in those of all of them.

let at: TestWorld;
let ann: Person, ben: Person;
let problemSetId: string;
let low: string[], high: string[], all: string[];
beforeAll(async () => {
  at = await world();
  [ann, ben] = (await persons(at, "ann", "ben")) as [Person, Person];
  problemSetId = await openSet(at, ann, { name: "Many rooms" });
  await admit(at, problemSetId, ben, "deputy");
  const opened: string[] = [];
  for (let nth = 0; nth < 22; nth++) opened.push(await openCompartment(at, problemSetId, ann, `Room ${nth}`, ben));
  all = opened.sort();
  [low, high] = [all.slice(0, 11), all.slice(11)];
});
afterAll(() => at.stop());

const send = (method: string, path: string, body?: unknown) => as(at, ben)(method, `/api${path}`, body);
const filed = (text: string, compartments: string[]) =>
  put(at, ben, text, "report.txt", { problemSetId, compartments }).then(({ id }) => id as string);
const made = async (path: string, body: object): Promise<any> => {
  const { status, text, body: told } = await send("POST", path, body);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return told.data;
};

it("what lies beside a record lies in its compartments and in those that are named", async () => {
  const subjectId = await filed("The brigade must hold the bridge.", low);
  const about = { subjectKind: "document", subjectId, title: "Read it", assigneeId: ben.userId };
  const assignment = await made("/strategic/assignments", { problemSetId, compartments: high, ...about });
  const note = { targetType: "document", targetId: subjectId, text: "By when?", compartments: high };
  for (const one of [assignment, await made(`/ai-staff/${problemSetId}/annotations`, note)])
    expect(one.compartments).toEqual(all);
  const { body } = await send("GET", `/strategic/assignments?problemSetId=${problemSetId}`);
  expect(body.data.map(({ compartments }: any) => compartments)).toEqual([all]);
});

it("what is made of several records lies in those of all of them", async () => {
  const documentIds = [await filed("The bridge is held.", low), await filed("The bridge was held in May.", high)];
  const hypothesis = "The bridge is held";
  const { products } = await made("/strategic-agents/fuse", { problemSetId, documentIds, hypothesis });
  expect(products[0].compartments).toEqual(all);
  const event = (title: string, compartments: string[]) =>
    made("/graph/osint/events", { problemSetId, title, compartments });
  const [closed, opened] = [await event("The bridge was closed", low), await event("The bridge opened", high)];
  const link = { entityId: opened.entityId, relation: "related-to" };
  expect(await made(`/graph/osint/events/${closed.id}/link`, link)).toMatchObject({ eventId: closed.id });
});

it("a person still names at most twenty", async () => {
  const { status, body } = await send("POST", "/graph/osint/events", { problemSetId, title: "A", compartments: all });
  expect([status, body.error.details[0].path]).toEqual([400, "compartments"]);
  expect(Execution.view.shape.compartments.safeParse(all).success).toBe(true);
});
