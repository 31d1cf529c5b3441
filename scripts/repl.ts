import { userInfo } from "node:os";
import type { REPLServer } from "node:repl";
import { callbackify } from "node:util";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { lineOf } from "../adapters/transporter/index.ts";
import { openWorld } from "../adapters/world.ts";
import { brokerOptions } from "../config/broker.ts";
import { processEnv } from "../config/env.ts";
import { equip } from "../mixins/domain.mixin.ts";
import { guarded } from "../mesh/guards/guards.ts";
import { allServices } from "../services/index.ts";
import { COMMANDS, type Given, type OperatorCommand } from "./repl-commands.ts";
import { sayWhyNot } from "./refusal.ts";
import { Session } from "./repl-session.ts";
import { harmless } from "./repl-text.ts";

/** `npm run repl`: joins the mesh by TRANSPORTER; without one it runs every area but the gateway itself, on the embedded stores. */
const env = processEnv();
const services = await allServices();
const world = await openWorld(env, { guest: true }).catch(sayWhyNot);
const nameOf = ({ command }: OperatorCommand): string => command.split(" ")[0]!;

/** Prints what it answers, or in one line why not; what changes something is asked first. */
async function carryOut(command: OperatorCommand, given: Given): Promise<void> {
  try {
    const question = given.options.yes ? null : await command.confirm?.(session, given);
    if (question && !(await session.confirmed(question))) return console.log("Nothing was done.");
    console.log(await command.run(session, given));
  } catch (error) {
    console.log(`That failed: ${harmless((error as Error).message)}`);
  }
}

const broker = new ServiceBroker(guarded({
  ...brokerOptions({ ...env, LOG_LEVEL: "warn" }),
  ...lineOf(env).options,
  nodeID: `${env.NODE_ID ?? "operator"}-repl-${process.pid}`,
  replOptions: {
    delimiter: "signalmesh $ ",
    customCommands: COMMANDS.map((one) => ({
      command: one.command, description: one.description,
      ...(one.confirm && { options: [{ option: "--yes", description: "Do not ask" }] }),
      action: (_broker: ServiceBroker, given: Given) => carryOut(one, given),
    })),
  },
} as never));
const session = new Session(broker, `operator:${userInfo().username}`);

type Completed = (error: Error | null, result?: [string[], string]) => void;
type Completer = (line: string, done?: Completed) => [string[], string] | void;

/** After the name of one of our commands, what may stand for its argument; everything else is the stock completion's. */
function completing(stock: Completer): Completer {
  return (line, done) => {
    const [name, begun, ...more] = line.split(" ");
    const command = COMMANDS.find((one) => nameOf(one) === name);
    if (begun === undefined || !command || !done) return stock(line, done);
    const word = more.at(-1) ?? begun;
    const suggested = async (): Promise<[string[], string]> => {
      const all = more.length ? [] : await Promise.resolve(command.complete?.(session) ?? []).catch(() => []);
      return [[...all, ...(command.confirm ? ["--yes"] : [])].filter((one) => one.startsWith(word)), word];
    };
    callbackify(suggested)(done);
  };
}

equip(broker, world, services.map(({ service }) => service));
if (!env.TRANSPORTER) for (const { area, service } of services) if (area !== "gateway") broker.createService(service as unknown as ServiceSchema);
await broker.start();
const terminal = broker.repl() as unknown as REPLServer & { completer: Completer };
terminal.completer = completing(terminal.completer.bind(terminal));
session.attach(terminal);
