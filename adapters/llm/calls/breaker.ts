import { steadily, systemClock, type Clock } from "../../../core/clock.ts";
import { LlmError } from "../errors.ts";

export interface Breaker {
  /** Throws `circuit-open`; a half-open circuit admits one probe. */
  admit(): void;
  /** The endpoint answered, whatever the answer was. */
  well(): void;
  unwell(): void;
  /** The admitted request ended without showing anything about the endpoint. */
  unknown(): void;
  state(): "closed" | "open" | "half-open";
}

/**
 * A circuit breaker (Nygard, "Release It!"): after `failures` in a row it refuses for `coolDownMs`, then a single probe
 * decides. The caller decides what counts as a failure.
 */
export function breaker(
  { failures, coolDownMs }: { failures: number; coolDownMs: number },
  clock: Clock = systemClock,
): Breaker {
  let inARow = 0;
  let openedAt: number | undefined;
  let probing = false;

  const cooled = () => openedAt !== undefined && steadily(clock) - openedAt >= coolDownMs;
  const open = () => {
    openedAt = steadily(clock);
    probing = false;
  };

  return {
    admit() {
      if (openedAt === undefined) return;
      if (!cooled() || probing) {
        const retryAfterMs = Math.max(1, openedAt + coolDownMs - steadily(clock));
        throw new LlmError("circuit-open", "The model's endpoint failed repeatedly and is left alone for a while.", {
          retryAfterMs,
        });
      }
      probing = true;
    },
    well() {
      inARow = 0;
      openedAt = undefined;
      probing = false;
    },
    unwell() {
      inARow += 1;
      if (probing || inARow >= failures) open();
    },
    unknown() {
      probing = false;
    },
    state: () => (openedAt === undefined ? "closed" : cooled() ? "half-open" : "open"),
  };
}
