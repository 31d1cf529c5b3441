import type { Locator, Page } from "playwright-core";
import { systemActor } from "../../core/access/access.ts";
import { account } from "../identity/browser.ts";
import { signIn, type Person } from "../workspace/people.ts";
import type { ConsoleWorld } from "./console.ts";

/** Somebody with an account, under a name, and a browser of their own. */
export async function browserOf({ at, person }: ConsoleWorld, name: string): Promise<[Page, Person]> {
  const { id: userId, email } = await account(at, { name, role: "analyst" });
  const [token, { did }] = [
    await signIn(at, email),
    await at.call("identity.primaryDid", { userId }, systemActor("test")),
  ];
  return [await person(email), { name, email, userId, did, token }];
}

export const button = (page: Page | Locator, name: string): Locator => page.getByRole("button", { name, exact: true });
