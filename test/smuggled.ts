import type { TestWorld } from "./mesh.ts";

/** A request, as bytes, that leaves a trace where it is carried out: a source list of that name. */
export function hiddenRequest(name: string, token: string): string {
  const body = JSON.stringify({ name: `smuggled ${name}`, sourceIds: [] });
  return `POST /api/sources/lists HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** The traces that hidden requests left. */
export const smuggled = async (at: TestWorld): Promise<string[]> =>
  (await at.http("GET", "/api/sources/lists?limit=100")).body.data.map(({ name }: { name: string }) => name);
