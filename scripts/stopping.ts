/** One Ctrl-C arrives twice: from the terminal, and from npm, which hands on what it hears. A person is slower. */
const ONE_PRESS_MS = 300;

/**
 * Calls `stop` at the first SIGTERM or SIGINT. Whoever asks again does not want to wait: the process ends at once.
 */
export function whenToldToStop(stop: (signal: NodeJS.Signals) => void): void {
  let toldAt: number | undefined;
  const hear = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (toldAt === undefined) {
      toldAt = now;
      stop(signal);
    } else if (now - toldAt > ONE_PRESS_MS) process.exit(1);
  };
  process.on("SIGTERM", hear).on("SIGINT", hear);
}
