import { extname } from "node:path";
import { builtConsole, CONSOLE_FILES, type BuiltConsole } from "../../../adapters/console-build.ts";
import type { Env } from "../../../config/env.ts";
import { Problem } from "../../../core/problem.ts";
import { Content } from "../http/content.ts";
import type { Reply } from "../http/respond.ts";
import type { Page } from "./pages.ts";

/** First segments of the console's addresses: its areas, as those of the services. */
const AREAS = ["identity", "knowledge", "news", "picture", "platform", "staff", "workspace"];
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};
/** A file's name is another for other contents. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** The console in the form in which it is sent. */
interface Sent {
  page: Content;
  files: ReadonlyMap<string, Content>;
}

function sentOf({ html, files }: BuiltConsole, env: Env): Sent {
  const ways = env.OIDC_ISSUER ? '<meta name="signalmesh-oidc" content="on" />\n    ' : "";
  return {
    page: new Content(
      "text/html; charset=utf-8",
      html.replace('<link rel="stylesheet"', `${ways}<link rel="stylesheet"`),
    ),
    files: new Map(
      [...files].map(([name, bytes]) => [
        name,
        new Content(TYPES[extname(name)] ?? "application/octet-stream", async () => bytes, FOR_EVER),
      ]),
    ),
  };
}

/** The console in a browser: one page for all of its addresses, and the files that it loads. */
export function consolePages(env: Env): Page[] {
  const known = new WeakMap<BuiltConsole, Sent>();
  const sent = async (): Promise<Sent> => {
    const built = await builtConsole();
    let here = known.get(built);
    if (!here) known.set(built, (here = sentOf(built, env)));
    return here;
  };
  const page = (path: string): Page => ({
    path,
    serve: async (req, res) => (await sent()).page.send(req, res as Reply),
  });
  return [
    page("/"),
    ...AREAS.flatMap((area) => [page(`/${area}`), page(`/${area}/*rest`)]),
    {
      path: `${CONSOLE_FILES}/:file`,
      async serve(req, res, { params: { file } }) {
        const found = (await sent()).files.get(file!);
        if (!found) throw new Problem(404, "ROUTE_NOT_FOUND", "There is no such file.");
        return found.send(req, res as Reply);
      },
    },
  ];
}
