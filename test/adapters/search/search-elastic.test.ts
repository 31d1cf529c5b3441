import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openSearch } from "../../../adapters/search/index.ts";
import { parseQuery } from "../../../core/text/searching/query-language.ts";
import { article, NOW } from "./engines.ts";

const storm = { tree: parseQuery("storm").tree!, limit: 5, now: NOW };
const unavailable = { code: 503, type: "UPSTREAM_SEARCH", data: { headers: { "Retry-After": expect.any(String) } } };

async function serve(
  answer: (path: string) => { status: number; body: object },
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.url!);
    response
      .writeHead(status, { "content-type": "application/json", "x-elastic-product": "Elasticsearch" })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it("says in words that a server is away, and connects to nothing before the first use", async () => {
  const index = openSearch({ elasticsearchUrl: "http://127.0.0.1:1", dataDir: ":memory:" });
  await expect(index.search(storm)).rejects.toMatchObject(unavailable);
  await expect(index.put([article(1)])).rejects.toMatchObject(unavailable);
  await expect(
    index.rebuild(
      (async function* () {
        yield article(1);
      })(),
    ),
  ).rejects.toMatchObject(unavailable);
  await expect(index.ping()).rejects.toMatchObject(unavailable);
  await index.close();
});

it("tells a server in trouble from a mistake of our own", async () => {
  const { server, url } = await serve((path) =>
    path.includes("_search")
      ? { status: 503, body: { error: { type: "search_phase_execution_exception" } } }
      : path.includes("_count")
        ? { status: 400, body: { error: { type: "parsing_exception" } } }
        : { status: 200, body: {} },
  );
  const index = openSearch({ elasticsearchUrl: url, dataDir: ":memory:" });
  await expect(index.search(storm)).rejects.toMatchObject(unavailable);
  await expect(index.count()).rejects.toMatchObject({ name: "ResponseError" });
  await index.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

it("does not call a put done that the server refused", async () => {
  const { server, url } = await serve((path) =>
    path.includes("_bulk")
      ? {
          status: 200,
          body: {
            errors: true,
            items: [
              {
                index: {
                  status: 429,
                  _index: "signalmesh-articles",
                  error: { type: "es_rejected_execution_exception" },
                },
              },
            ],
          },
        }
      : { status: path.includes("draft") ? 404 : 200, body: {} },
  );
  const index = openSearch({ elasticsearchUrl: url, dataDir: ":memory:" });
  await expect(index.put([article(1)])).rejects.toMatchObject(unavailable);
  await index.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
