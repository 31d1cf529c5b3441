import { z } from "zod";
import { list } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { CursorMeta, feeding, Instant } from "../../../core/records/entity.ts";
import { Location } from "../location.ts";
import { alikeIn } from "../place.ts";
import { READ, reading } from "./sensors.actions.ts";
import { Fix, Sensor } from "./sensors.ts";

/** Where a sensor was. */
export const fixActions = {
  "fixes.list": endpoint({
    rest: "GET /:id/track",
    summary: "List a sensor's positions, newest first",
    permit: READ,
    within: reading,
    on: Sensor,
    beyond: true,
    query: feeding,
    returns: list(z.object({ at: Instant, location: Location }), CursorMeta),
    async handler(ctx, sensor) {
      const { limit, cursor } = ctx.params;
      const { data: found, meta } = await this.store(Fix).feed(
        ctx,
        { limit, order: "-at", ...(cursor !== undefined && { cursor }) },
        { ...alikeIn(sensor), sensorId: sensor.id },
      );
      return { data: found, meta };
    },
  }),
};
