import { z } from "zod";
import { TRANSPORTS } from "../../../../adapters/discovery/port.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { modeOf, Simulated, simulates } from "../../../../core/access/training-mode.ts";
import { iso } from "../../../../core/clock.ts";
import { withWords, wordsIn } from "../../../../core/records/reading/by-words.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { mayOutside } from "../../place.ts";
import { listOf } from "../access-list/entries.ts";
import { askedPlace, demandAt, DISCONNECT, inspecting, placeQuery, REPORT } from "../reach.ts";
import { deviceView } from "./access-decisions.ts";
import { Analysis, Device, METHODS, PROPOSALS } from "./devices.ts";
import { disconnect } from "./disconnecting.ts";

const Disconnected = z
  .object({
    device: Device.view,
    blocked: z.array(z.string()).describe("The entry of the access list that blocks it from now on."),
    sessionsEnded: z
      .int()
      .describe("Sessions and tokens of the account that its DID is bound to; its API keys end too."),
    messageId: z.string().nullable().describe("The flash message in the channel `alerts`."),
    simulated: Simulated,
  })
  .meta({ id: "EmergencyDisconnection" });

export const deviceActions = {
  "devices.list": endpoint({
    rest: "GET /devices",
    summary: "List the discovered devices",
    permit: "signed-in",
    within: inspecting,
    query: {
      ...Device.query,
      ...placeQuery,
      q: wordsIn("name, manufacturer, model and vendor"),
      transport: z.enum(TRANSPORTS).optional().describe("Seen by this transport."),
    },
    returns: list(Device.view),
    tool: "list_devices",
    description:
      "`state` is `discovered` (only a name is known), `identified`, `allowed` or `blocked` by the " +
      "access list, `disconnected` in an emergency, or `lost`: not seen for three intervals, and at " +
      "least ten minutes. A device that returns keeps earlier decisions.",
    async handler(ctx) {
      const actor = ctx.meta.actor!;
      const { transport, q, ...window } = ctx.params;
      const { data: found, meta } = await this.store(Device).page(ctx, window, {
        ...askedPlace(actor, window),
        ...withWords(q),
        ...(transport && { transports: transport }),
      });
      const decides = await listOf(this, modeOf(actor));
      return { data: found.map((device) => deviceView(device, decides, this.world.clock.now())), meta };
    },
  }),

  "devices.get": endpoint({
    rest: "GET /devices/:id",
    summary: "Show a device",
    permit: "signed-in",
    within: inspecting,
    on: Device,
    returns: data(Device.view),
    async handler(_ctx, device) {
      return deviceView(device, await listOf(this, device.mode), this.world.clock.now());
    },
  }),

  "devices.disconnect": endpoint({
    rest: "POST /devices/:id/emergency-disconnect",
    summary: "Disconnect a device in an emergency, on all nodes",
    permit: "signed-in",
    within: { set: "problemSetId", may: DISCONNECT },
    on: Device,
    when: mayOutside(DISCONNECT),
    body: { reason: z.string().trim().min(1).max(500).default("Emergency disconnect.") },
    returns: data(Disconnected),
    example: { reason: "It sends what nobody asked it for." },
    errors: { 422: "It has no identifier (`NO_IDENTITY`): block its address with the access list." },
    description:
      "Blocks all identifiers of the device in the store that every node consults, and announces it " +
      "with a flash message. If the caller's platform role allows it, this also ends the sessions and " +
      "keys of the account that its DID is bound to, and refuses that DID everywhere: in `X-DID` and in " +
      "edge sync. Repeating it changes nothing. To undo it, remove the entries from the access list.",
    async handler(ctx, device) {
      const done = await disconnect(this, ctx, device, ctx.params.reason);
      return { ...done, ...(simulates(ctx) && { simulated: true as const }) };
    },
  }),

  takeAnalysis: endpoint({
    rest: "POST /assistant-result",
    summary: "Submit an assistant's assessment of a device",
    permit: "signed-in",
    body: {
      deviceId: TextId,
      verdict: Analysis.shape.verdict,
      proposes: z.enum(PROPOSALS).default("none"),
      confidence: z.number().min(0).max(1),
      rationale: z.string().trim().min(1).max(2_000),
      method: z.enum(METHODS).default("heuristic").describe("`llm` only where a language model said so."),
    },
    returns: data(Device.view),
    example: {
      deviceId: "01920000-0000-7000-8000-000000000000",
      verdict: "suspicious",
      proposes: "block",
      confidence: 0.7,
      rationale: "It offers telnet.",
    },
    errors: { 404: "There is no such device that you see." },
    description:
      "Accepts input from an agent, or from a program with its own key. It only proposes: nothing is " +
      "allowed or blocked by it until a person adds to the access list.",
    async handler(ctx) {
      const { deviceId, ...analysis } = ctx.params;
      const actor = ctx.meta.actor!;
      const store = this.store(Device);
      const device = await store.get(ctx, deviceId);
      demandAt(actor, device, REPORT);
      const at = iso(this.world.clock.now());
      const made = await store.change(ctx, deviceId, () => ({ analysis: { ...analysis, at, by: actor.userId } }));
      return deviceView(made, await listOf(this, device.mode), this.world.clock.now());
    },
  }),
};
