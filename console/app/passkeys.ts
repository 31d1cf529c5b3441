import { ask, type Data } from "../api/client.ts";

/** What the lib lacks types of: requests as our server writes them are the ones that browsers parse. */
type Options = Record<string, any>;

async function ceremony<T>(domain: string, act: () => Promise<T | null>): Promise<T> {
  if (!window.PublicKeyCredential)
    throw new Error("This browser has no passkeys under this address: they need https, or localhost.");
  try {
    const made = await act();
    if (!made) throw new Error("There was no passkey.");
    return made;
  } catch (error) {
    // Browsers word their refusals for programs.
    const { name } = error as Error;
    if (name === "SecurityError")
      throw new Error(`Passkeys here belong to ${domain}: open this page under that name.`, { cause: error });
    if (name === "NotAllowedError")
      throw new Error(
        "There was no passkey: it was called off, took too long, or there is none of here on this device.",
        { cause: error },
      );
    if (name === "InvalidStateError")
      throw new Error("This device has a passkey of this account already.", { cause: error });
    throw error;
  }
}

/** Lets the browser use a passkey; answers what the server verifies. */
export async function givePasskey(asked: Options): Promise<any> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked as never);
  const given = await ceremony(asked["rpId"], () => navigator.credentials.get({ publicKey }));
  return (given as PublicKeyCredential).toJSON();
}

/** Lets the browser make a passkey. */
export async function makePasskeyFor(asked: Options): Promise<any> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked as never);
  const made = await ceremony(asked["rp"].id, () => navigator.credentials.create({ publicKey }));
  return (made as PublicKeyCredential).toJSON();
}

export async function signInByPasskey(): Promise<void> {
  const { data } = await ask("POST /auth/login", { body: {} });
  await ask("POST /auth/login/verify", { body: await givePasskey(data) });
}

/** Registers a passkey: for whoever is signed in, or with `account` for a new account. */
export async function registerPasskey(
  account: { email?: string; name?: string; passkeyName?: string } = {},
): Promise<Data<"POST /auth/register/verify">> {
  const { data } = await ask("POST /auth/register", { body: account });
  return (await ask("POST /auth/register/verify", { body: await makePasskeyFor(data) })).data;
}
