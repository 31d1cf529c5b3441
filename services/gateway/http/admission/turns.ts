import type { IncomingMessage, ServerResponse } from "node:http";
import type { Flow, Pressure } from "../../../../core/load/pressure.ts";
import { overloaded } from "../../../../core/problem.ts";
import type { NodeHealth } from "../../pages/health.ts";
import type { Page } from "../../pages/pages.ts";
import type { Connections } from "../connections.ts";
import { isLong, refuseOverload, requestTarget } from "./overload-reply.ts";
import type { Served } from "../request.ts";
import type { Router } from "../router.ts";

export type TurnTarget = ({ endpoint: Served } | { page: Page }) & { flow: Flow };

export interface TurnsParts {
  router: Router<TurnTarget>;
  connections: Connections;
  pressure: Pressure;
  health: NodeHealth;
}

/** The order of requests in an overloaded process. */
export class Turns {
  readonly #parts: TurnsParts;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
  }

  /**
   * In an overloaded process a request waits for its endpoint's turn, or is refused before anything is spent on it.
   * Health is answered at once.
   */
  waits(req: IncomingMessage, res: ServerResponse, take: () => void): boolean {
    const { router, pressure, connections, health } = this.#parts;
    const target = requestTarget(router, req);
    if (!target || ("page" in target && target.page.isProbe)) return false;
    // No work for a client that disconnected meanwhile.
    const begin = (): void => {
      if (!res.destroyed) take();
    };
    if (pressure.enter(target.flow, begin)) connections.works(req.socket);
    else {
      if (isLong(req)) connections.refuse(req);
      res.on("close", () => connections.rests(req.socket));
      refuseOverload(req, res, "page" in target ? "error" : target.endpoint.contract.returns.errors, health.draining);
    }
    return true;
  }

  /** Resolves when it is this flow's turn; undefined where nothing waits. Rejects with 503. */
  of(flow: Flow): Promise<void> | undefined {
    const { pressure } = this.#parts;
    if (!pressure.strained) return undefined;
    return new Promise((resolve, reject) => {
      if (!pressure.enter(flow, resolve))
        reject(overloaded("More is asked at the moment than can be answered in time; please ask again."));
    });
  }
}
