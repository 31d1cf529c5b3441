import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { brokerOptions } from "../../config/broker.ts";
import type { Env } from "../../config/env.ts";
import type { Meta } from "../../core/access/caller.ts";
import { operatorSocket, type Greeting, type OperatorRequest, type OperatorReply } from "../../mesh/operator-socket.ts";

const GREETING_MS = 5_000;

/** A node that runs beside this process, by its socket. */
export interface Running extends Greeting {
  ask(action: string, params: object, meta: Meta): Promise<unknown>;
  /** Calls back once, when it is gone. */
  gone(tell: () => void): void;
}

/** The platform that runs on a data folder; undefined where none answers there. */
export async function runningOn(dataDir: string): Promise<Running | undefined> {
  const socket = connect(operatorSocket(dataDir));
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const greeting = Promise.withResolvers<Greeting | undefined>();
  const late = setTimeout(() => socket.destroy(), GREETING_MS);
  let isGreeted = false;
  const lines = createInterface({ input: socket.on("error", () => {}) });
  lines
    .on("error", () => {})
    .on("line", (line) => {
      if (isGreeted) return settle(waiting, JSON.parse(line) as OperatorReply);
      isGreeted = true;
      greeting.resolve(JSON.parse(line) as Greeting);
    });
  socket.once("close", () => {
    greeting.resolve(undefined);
    for (const { reject } of waiting.values()) reject(new Error("The platform was stopped."));
  });
  const greeted = await greeting.promise;
  clearTimeout(late);
  return greeted && { ...greeted, ask: asker(socket, waiting), gone: (tell) => void socket.once("close", tell) };
}

function asker(socket: Socket, waiting: Map<number, PromiseWithResolvers<unknown>>): Running["ask"] {
  let asked = 0;
  return (action, params, { actor }) => {
    if (!socket.writable) throw new Error("The platform was stopped.");
    const question: OperatorRequest = { id: ++asked, action, params, meta: actor ? { actor } : {} };
    const answer = Promise.withResolvers<unknown>();
    waiting.set(question.id, answer);
    socket.write(`${JSON.stringify(question)}\n`);
    return answer.promise;
  };
}

function settle(waiting: Map<number, PromiseWithResolvers<unknown>>, reply: OperatorReply): void {
  const answer = waiting.get(reply.id);
  waiting.delete(reply.id);
  if ("error" in reply) answer?.reject(Object.assign(new Error(reply.error.message), reply.error));
  else answer?.resolve(reply.value);
}

/** A broker that stands for the node that runs: the same services, each action of which is asked there. */
export function brokerFor(env: Env, { node, services, ask }: Running): ServiceBroker {
  const broker = new ServiceBroker({ ...brokerOptions({ ...env, LOG_LEVEL: "warn" }), nodeID: node });
  for (const { name, actions } of services)
    broker.createService({
      name,
      actions: Object.fromEntries(
        actions.map((action) => [
          action.name,
          {
            ...(action.rest && { rest: action.rest }),
            handler: (ctx: { params: object; meta: Meta }) => ask(`${name}.${action.name}`, ctx.params, ctx.meta),
          },
        ]),
      ),
    } as unknown as ServiceSchema);
  return broker;
}
