import fc from "fast-check";
import { Router } from "../../services/gateway/http/router.ts";

/** Pairs of which the more specific one must win, wherever both fit (decisions: "One API, two documents"). */
const PAIRS: [route: string, path: string][] = [
  ["/articles/stats", "/articles/stats"],
  ["/articles/:id", "/articles/7"],
  ["/sources/lists", "/sources/lists"],
  ["/sources/:id", "/sources/7"],
  ["/sources/lists/active", "/sources/lists/active"],
  ["/sources/lists/:id", "/sources/lists/7"],
  ["/sources/:id/stats", "/sources/7/stats"],
  ["/briefings/latest", "/briefings/latest"],
  ["/briefings/:id", "/briefings/3"],
  ["/problem-sets/me", "/problem-sets/me"],
  ["/problem-sets/invite/code/:code", "/problem-sets/invite/code/x"],
  ["/problem-sets/:id", "/problem-sets/q"],
  ["/problem-sets/:id/members", "/problem-sets/invite/members"],
  ["/resources/groups", "/resources/groups"],
  ["/resources/personnel", "/resources/personnel"],
  ["/resources/personnel/:id", "/resources/personnel/7"],
  ["/resources/:id/status", "/resources/7/status"],
  ["/resources/consumables/low-stock", "/resources/consumables/low-stock"],
  ["/resources/consumables/:id", "/resources/consumables/9"],
  ["/gates/:problemSetId/escalated", "/gates/a/escalated"],
  ["/gates/:problemSetId/hierarchy", "/gates/a/hierarchy"],
  ["/gates/:problemSetId/:tab", "/gates/a/plan"],
  ["/agents/delegations/:id", "/agents/delegations/9"],
  ["/agents/governance-copilot/analyze", "/agents/governance-copilot/analyze"],
  ["/agents/:id/analyze", "/agents/7/analyze"],
  ["/strategic/environments/by-problem-set/:id", "/strategic/environments/by-problem-set/1"],
  ["/strategic/environments/:envId/containers", "/strategic/environments/1/containers"],
  ["/sensors/coverage/:missionId", "/sensors/coverage/1"],
  ["/sensors/:id/coverage", "/sensors/1/coverage"],
  ["/reports/:id.csv", "/reports/7.csv"],
  ["/reports/:id", "/reports/7"],
  ["/files/*path", "/files/a/b/c"],
  ["/files/list", "/files/list"],
];

it("answers with the route whose earliest differing segment is literal, in whatever order they were added", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(PAIRS, { minLength: PAIRS.length }), (pairs) => {
      const router = new Router<string>();
      for (const [route] of pairs) router.add("GET", route, route);
      for (const [route, path] of PAIRS) expect(router.find("GET", path)?.value).toBe(route);
    }),
    { numRuns: 50 },
  );
});

it("decodes parameters, keeps dots and dashes, refuses empty ones and bad encoding", () => {
  const router = new Router<number>();
  router.add("GET", "/a/:x/b/:y", 1);
  expect(router.find("GET", "/a/1%2F2/b/c.d-e")?.params).toEqual({ x: "1/2", y: "c.d-e" });
  expect(router.find("GET", "/a//b/c")).toBeUndefined();
  expect(() => router.find("GET", "/a/%zz/b/c")).toThrow(/percent/);
});

it("tells which methods a path has", () => {
  const router = new Router<number>();
  router.add("GET", "/a/:id", 1);
  router.add("DELETE", "/a/b", 2);
  expect(router.allowed("/a/b")).toEqual(["DELETE", "OPTIONS"]);
  expect(router.find("GET", "/a/b")).toBeUndefined();
  expect(router.allowed("/a/c")).toEqual(["GET", "HEAD", "OPTIONS"]);
  expect(router.allowed("/z")).toEqual([]);
});

it("refuses two endpoints at one address", () => {
  const router = new Router<number>();
  router.add("GET", "/a/:id", 1);
  expect(() => router.add("GET", "/a/:other", 2)).toThrow(/share/);
});

it("finds what a scan over all routes by specificity finds", () => {
  const segment = fc.constantFrom("a", "b", "c", ":x");
  const route = fc
    .array(segment, { minLength: 1, maxLength: 4 })
    .map((s) => `/${s.map((one, at) => (one === ":x" ? `:p${at}` : one)).join("/")}`);
  const path = fc
    .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 4 })
    .map((s) => `/${s.join("/")}`);
  const shape = (r: string) => r.replace(/:\w+/g, ":");
  fc.assert(
    fc.property(fc.uniqueArray(route, { selector: shape, maxLength: 20 }), path, (routes, wanted) => {
      const router = new Router<string>();
      for (const one of routes) router.add("GET", one, one);
      const segments = wanted.split("/").slice(1);
      const fitting = routes.filter((one) => {
        const own = one.split("/").slice(1);
        return own.length === segments.length && own.every((s, at) => s.startsWith(":") || s === segments[at]);
      });
      // Literal before parameter at the earliest place where they differ.
      const best = fitting.sort((l, r) => {
        const [a, b] = [l, r].map((one) =>
          one
            .split("/")
            .slice(1)
            .map((s) => (s.startsWith(":") ? "1" : "0"))
            .join(""),
        );
        return a! < b! ? -1 : 1;
      })[0];
      expect(router.find("GET", wanted)?.value).toBe(best);
    }),
    { numRuns: 500 },
  );
});
