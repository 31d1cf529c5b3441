import type { Rows } from "../requests.ts";

export const requests: Rows["requests"] = {};

export const notRepeated: Rows["notRepeated"] = {
  "POST /api/webhooks/enable": "needs a configured receiver; its story is told in test/news/webhooks",
  "POST /api/webhooks/deliveries/:id/replay": "needs a dead letter; its story is told in test/news/webhooks",
};
