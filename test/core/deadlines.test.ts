import { AsyncLocalStorage } from "node:async_hooks";
import { Deadlines, Expiring } from "../../mesh/guards/deadlines.ts";

it("a time-out that calls share runs in nobody's context, so that it keeps nothing of the first of them", async () => {
  const context = new AsyncLocalStorage<string>();
  const deadlines = new Deadlines();
  const told = await new Promise<string | undefined>((resolve) => {
    class Call extends Expiring {
      override lapse(): void {
        resolve(context.getStore());
      }
    }
    context.run("the first call's", () => deadlines.set(new Call(), 10));
  });
  expect(told).toBeUndefined();
});
