import { Errors } from "moleculer";

// Missing in Moleculer's types; its timeout middleware knows a lapse by this class.
const { TimeoutError } = Errors as unknown as { TimeoutError: new () => Error };

function timeout<T>(this: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError()), milliseconds);
    this.then(
      (value) => { clearTimeout(timer); resolve(value); },
      (error: Error) => { clearTimeout(timer); reject(error); },
    );
  });
}

/**
 * Gives promises the `timeout` that Moleculer puts around every call, before Moleculer gives them its own: that one races two
 * promises and passes the winner on twice more, which is a third of what a call in the process costs. To be called before a broker is made.
 */
export function bringDeadlines(): void {
  const { prototype } = Promise;
  Object.defineProperty(prototype, "timeout", { value: timeout, configurable: true, writable: true });
}
