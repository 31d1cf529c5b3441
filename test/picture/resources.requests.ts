import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";

let count = 0;
const token = async (at: TestWorld): Promise<string> => (await desk(at)).commander.token;
const within = async (at: TestWorld): Promise<{ problemSetId: string }> => ({ problemSetId: (await desk(at)).id });
const resource = async (at: TestWorld): Promise<{ id: string }> =>
  made(at, "POST", "/api/resources", { ...(await within(at)), name: `Row ${++count}` });

/** A resource whose reading raised an alarm. */
async function alarmed(at: TestWorld, place: object, by?: Place["by"]): Promise<{ id: string; alarmId: string }> {
  const thresholds = [{ id: "hot", key: "heat", when: "above", raise: 90 }];
  const { id } = await made(at, "POST", "/api/resources", { ...place, name: `Row ${++count}`, thresholds }, by);
  await made(at, "POST", "/api/resources/telemetry", { resourceId: id, key: "heat", value: 91 }, by);
  const [alarm] = await made(at, "GET", `/api/resources/${id}/alarms`, undefined, by);
  return { id, alarmId: alarm.id };
}

/** A resource's DID, which is the desk's commander's own. */
const ownDid = async (at: TestWorld): Promise<string> => {
  const { commander } = await desk(at);
  return (await made(at, "POST", "/api/identity/did/create", { method: "key" }, commander)).did;
};

export const requests: Rows["requests"] = {
  "POST /api/resources": async (at) => ({
    path: "/api/resources",
    as: await token(at),
    body: { name: `Row ${++count}`, capabilities: ["medical.treatment"], ...(await within(at)) },
    effect: stored("resources"),
  }),
  "POST /api/resources/registry/register": async (at) => ({
    path: "/api/resources/registry/register",
    as: await token(at),
    body: { name: `Row ${++count}`, did: await ownDid(at), ...(await within(at)) },
    effect: stored("resources"),
  }),
  "POST /api/resources/bulk-import": async (at) => ({
    path: `/api/resources/bulk-import?problemSetId=${(await desk(at)).id}`,
    as: await token(at),
    body: { rows: [{ name: `Row ${++count}` }] },
    effect: stored("resources"),
  }),
  "POST /api/resources/telemetry": async (at) => ({
    path: "/api/resources/telemetry",
    as: await token(at),
    body: { resourceId: (await resource(at)).id, key: "row", value: ++count },
  }),
  "POST /api/resources/:id/alarms/:alarmId/acknowledge": async (at) => {
    const { id, alarmId } = await alarmed(at, await within(at));
    return {
      path: `/api/resources/${id}/alarms/${alarmId}/acknowledge`,
      as: await token(at),
      body: { note: `Row ${++count}` },
    };
  },
  "POST /api/resources/groups": async (at) => ({
    path: "/api/resources/groups",
    as: await token(at),
    body: { name: `Row ${++count}`, ...(await within(at)) },
    effect: stored("resources_groups"),
  }),
  "POST /api/resources/groups/:groupId/members": async (at) => {
    const group = await made(at, "POST", "/api/resources/groups", { ...(await within(at)), name: `Row ${++count}` });
    return {
      path: `/api/resources/groups/${group.id}/members`,
      as: await token(at),
      body: { resourceId: (await resource(at)).id },
    };
  },
  "POST /api/resources/personnel": async (at) => ({
    path: "/api/resources/personnel",
    as: await token(at),
    body: { name: `Row ${++count}`, ...(await within(at)) },
    effect: stored("resources_personnel"),
  }),
  "POST /api/resources/personnel/bulk-import": async (at) => ({
    path: `/api/resources/personnel/bulk-import?problemSetId=${(await desk(at)).id}`,
    as: await token(at),
    body: { rows: [{ name: `Row ${++count}` }] },
    effect: stored("resources_personnel"),
  }),
  "POST /api/resources/consumables": async (at) => ({
    path: "/api/resources/consumables",
    as: await token(at),
    body: { name: `Row ${++count}`, unit: "l", level: 5, ...(await within(at)) },
    effect: stored("resources_consumables"),
  }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const place = { problemSetId, compartments };
  const make = (tail: string, fields: object): Promise<any> =>
    made(at, "POST", `/api/resources${tail}`, { ...place, ...fields }, by);
  const { id } = await make("", {
    name: text,
    description: text,
    serial: text,
    externalId: `${text} ${++count}`,
    capabilities: ["logistics.supply"],
    location: { latitude: 48.1, longitude: 11.5 },
  });
  await made(at, "POST", "/api/resources/telemetry", { resourceId: id, key: "level", value: text }, by);
  const group = await make("/groups", { name: text, description: text });
  await made(at, "POST", `/api/resources/groups/${group.id}/members`, { resourceId: id }, by);
  const person = await make("/personnel", { name: text, position: text, note: text, externalId: `${text} ${++count}` });
  const consumable = await make("/consumables", { name: text, description: text, unit: "l", level: 1, minimum: 2 });
  return {
    "/api/resources/:id": id,
    "/api/resources/:id/telemetry/:key": "level",
    "/api/resources/groups/:groupId": group.id,
    "/api/resources/groups/:groupId/members/:resourceId": id,
    "/api/resources/personnel/:id": person.id,
    "/api/resources/consumables/:id": consumable.id,
  };
}
