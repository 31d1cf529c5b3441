import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { record, reportTo, routes } from "./routes.ts";

const nouns = new Set(routes.map(({ noun }) => noun));
const server = createServer((req, res) => {
  const [, api, noun, id] = req.url!.split("/");
  if (api !== "api" || !nouns.has(noun!) || !id) return void res.writeHead(404).end();
  const body = JSON.stringify(record(Number(id)));
  res.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(body) });
  res.end(body);
});
server.listen(0, "127.0.0.1", () => reportTo(process, (server.address() as AddressInfo).port));
