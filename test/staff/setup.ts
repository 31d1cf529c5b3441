import { eventually, type TestWorld } from "../mesh.ts";
import { as, type Person } from "../workspace/people.ts";

/** Days from now, by the world's clock. */
export const inDays = (at: TestWorld, days: number): string =>
  new Date(at.clock.now() + days * 86_400_000).toISOString();

/** Asks as somebody and answers the data; throws what the server says otherwise. */
export async function done(at: TestWorld, who: Person, method: string, path: string, body?: unknown): Promise<any> {
  const reply = await as(at, who)(method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body?.data;
}

export const enrol = (at: TestWorld, who: Person, problemSetId: string, fields: object = {}): Promise<any> =>
  done(at, who, "POST", "/api/agents", { problemSetId, name: "Scout", ...fields });

export const delegate = (
  at: TestWorld,
  who: Person,
  agentId: string,
  problemSetId: string,
  fields: object = {},
): Promise<any> =>
  done(at, who, "POST", `/api/agents/${agentId}/delegations`, {
    problemSetId,
    classes: ["observe"],
    expiresAt: inDays(at, 7),
    ...fields,
  });

/** Has an agent carry something out; answers the id of the run. */
export const execute = async (
  at: TestWorld,
  who: Person,
  agentId: string,
  body: object,
  how = "execute",
): Promise<string> => (await done(at, who, "POST", `/api/agents/${agentId}/${how}`, body)).executionId;

export const run = (at: TestWorld, who: Person, id: string): Promise<any> =>
  done(at, who, "GET", `/api/agents/executions/${id}`);

/** The run once it is in one of these states. */
export const settled = (
  at: TestWorld,
  who: Person,
  id: string,
  states: readonly string[] = ["completed", "stopped", "failed", "waiting"],
): Promise<any> =>
  eventually(
    () => run(at, who, id),
    ({ status }) => states.includes(status),
  );
