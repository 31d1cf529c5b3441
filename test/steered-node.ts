import type { OutboxMail } from "../adapters/mail.ts";
import { processEnv } from "../config/env.ts";
import { commonsOf } from "../mixins/domain.mixin.ts";
import { startMesh, type Mesh } from "../mesh/mesh.ts";

/**
 * A node of the mesh in a process of its own, whose clock a test moves and whose letters it gets. See processes.ts for
 * the other end.
 */
export type Order = { start: Hands } | { clock: Hands } | { know: readonly string[] } | { poke: true } | { stop: true };
/**
 * Where a clock's hands are: ahead of this machine's by so much, and by how much of that it was set; or standing still
 * at an instant.
 */
export interface Hands {
  ahead: number;
  leapt: number;
  at?: number;
}
export interface Report {
  done?: number;
  answer?: unknown;
  failed?: string;
  letter?: OutboxMail;
}

let hands: Hands = { ahead: 0, leapt: 0 };
const clock = { now: () => hands.at ?? Date.now() + hands.ahead, steady: () => clock.now() - hands.leapt };
let mesh: Mesh;
const report = (what: Report): void => void process.send?.(what);

async function start(): Promise<string | undefined> {
  mesh = await startMesh(processEnv(), { clock });
  const { mail } = mesh.world;
  const send = mail.send.bind(mail);
  mail.send = async (...given) => {
    const sent = await send(...given);
    if (sent.via === "outbox") report({ letter: mail.outbox().find(({ messageId }) => messageId === sent.messageId)! });
    return sent;
  };
  return mesh.url;
}

async function obey(order: Order): Promise<unknown> {
  if ("start" in order) {
    hands = order.start;
    return start();
  }
  if ("clock" in order) {
    hands = order.clock;
    return undefined;
  }
  if ("know" in order) return void (await mesh.broker.waitForServices([...order.know], 60_000, 20));
  if ("poke" in order) return commonsOf(mesh.broker).jobs.poke();
  return mesh.stop();
}

process.on("message", ({ id, ...order }: Order & { id: number }) => {
  obey(order as Order)
    .then(
      (answer) => report({ done: id, answer }),
      (error: Error) => report({ done: id, failed: error.stack ?? error.message }),
    )
    .finally(() => {
      if ("stop" in order) process.disconnect();
    });
});
// Without the test nobody needs it.
process.once("disconnect", () => process.exit());
