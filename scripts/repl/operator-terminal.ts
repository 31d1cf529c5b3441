import { userInfo } from "node:os";
import type { REPLEval, REPLServer } from "node:repl";
import { callbackify } from "node:util";
import type { ServiceBroker } from "moleculer";
import { meantBy, unknownName } from "../../core/contract/input/complaints.ts";
import { COMMANDS, type Given, type OperatorCommand } from "./commands.ts";
import { LOOKING, Session } from "./session.ts";
import { harmless } from "./text.ts";

type Completed = (error: Error | null, result?: [string[], string]) => void;
type Completer = (line: string, done?: Completed) => [string[], string] | void;
type Terminal = REPLServer & { completer: Completer; eval: REPLEval };

const nameOf = ({ command }: OperatorCommand): string => command.split(" ")[0]!;

interface Opening {
  /** Opens Moleculer's REPL. */
  open?: () => unknown;
  /** Only looks: commands that change something are not carried out. */
  looks?: boolean;
}

/** Opens Moleculer's REPL with the operator's commands, their completion and somebody to ask. */
export function openOperatorTerminal(
  broker: ServiceBroker,
  { open = () => broker.repl(), looks = false }: Opening = {},
): Terminal {
  const session = new Session(broker, `operator:${userInfo().username}`);
  (broker.options as { replOptions?: object }).replOptions = {
    delimiter: "signalmesh $ ",
    customCommands: COMMANDS.map((one) => ({
      command: one.command,
      description: one.description,
      ...(one.confirm && { options: [{ option: "--yes", description: "Do not ask" }] }),
      action: (_broker: ServiceBroker, given: Given) =>
        looks && one.confirm ? console.log(LOOKING) : carryOut(session, one, given),
    })),
  };
  saidOnce(broker);
  const terminal = open() as Terminal;
  const stock = terminal.completer.bind(terminal);
  terminal.completer = completing(session, stock);
  terminal.eval = knowing(terminal.eval, stock);
  oneByOne(terminal);
  session.attach(terminal);
  return terminal;
}

/** Wrong arguments are answered with how the command is used: the stock shell logs them as well, with a stack. */
function saidOnce({ logger }: ServiceBroker): void {
  const say = logger.error.bind(logger);
  logger.error = (...given: unknown[]) =>
    String((given[0] as { code?: unknown } | null)?.code).startsWith("commander.") ? undefined : say(...given);
}

/** Prints what it answers, or in one line why not; what changes something is asked first. */
async function carryOut(session: Session, command: OperatorCommand, given: Given): Promise<void> {
  try {
    const question = given.options.yes ? null : await command.confirm?.(session, given);
    if (question && !(await session.confirmed(question))) return console.log("Nothing was done.");
    console.log(await command.run(session, given));
  } catch (error) {
    console.log(`That failed: ${harmless((error as Error).message)}`);
  }
}

/** Says in a line that there is no such command; the stock shell prints all of its help below that. */
function knowing(carriesOut: REPLEval, completer: Completer): REPLEval {
  return function (this: REPLServer, line, context, file, done) {
    const [name = ""] = line.trim().split(/\s+/);
    completer("", (_error, result) => {
      const known = [...(result?.[0] ?? []), "help"];
      if (name === "" || known.includes(name)) return carriesOut.call(this, line, context, file, done);
      console.log(`${unknownName("command", meantBy(name, known))} \`help\` lists all.`);
      // With a second argument, even undefined, it would be printed.
      (done as (error: null) => void)(null);
    });
  };
}

/** Lines of a pipe come all at once: each waits for the one before, and the end of them for the last. */
function oneByOne(terminal: Terminal): void {
  const carriesOut = terminal.eval;
  let last = Promise.resolve();
  terminal.eval = function (this: REPLServer, line, context, file, done) {
    const carriedOut = (): Promise<void> =>
      new Promise((resolve) =>
        carriesOut.call(this, line, context, file, (...answer) => {
          done(...answer);
          resolve();
        }),
      );
    last = last.then(carriedOut);
  };
  const leaving = terminal.listeners("exit");
  terminal.removeAllListeners("exit");
  terminal.on("exit", () => void last.then(() => leaving.forEach((leave) => leave.call(terminal))));
}

/**
 * After the name of one of our commands, what may stand for its argument; everything else is the stock completion's.
 */
function completing(session: Session, stock: Completer): Completer {
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
