import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnv } from "../../config/env.ts";
import { startMesh } from "../../mesh/mesh.ts";
import { Client } from "./client.ts";

const EMAIL = "demo@example.org";
const PASSWORD = "a pass phrase for the demo";

/** Somebody of a demo: an account, and a browser that is signed in. */
export interface Person {
  name: string;
  /** Of the account. */
  id: string;
  http: Client;
  /** Another browser of theirs, that signs in now. */
  signIn(): Promise<Client>;
}

/** A platform that is made for one demo and goes with it; its clock runs as usual, and jumps where the story says so. */
export interface Throwaway {
  clock: { ahead: number; now: () => number };
  /** Its system administrator, who has just proved who they are. */
  admin(): Promise<Client>;
  /** Somebody new. */
  person(name: string): Promise<Person>;
  end(): Promise<void>;
}

export async function openThrowaway(settings: Record<string, string | undefined> = {}): Promise<Throwaway> {
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-demo-"));
  const mesh = await startMesh(
    readEnv({
      PORT: "0",
      DATA_DIR: dataDir,
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: "error",
      INGEST_INTERVAL_MINUTES: "1000",
      COMPARE_INTERVAL_MINUTES: "0",
      RATE_LIMIT_TIER: "development",
      ...settings,
    }),
    { clock },
  );
  const visitor = new Client(mesh.url!);
  const admin = await visitor.signIn(EMAIL, PASSWORD);
  return {
    clock,
    admin: () => visitor.signIn(EMAIL, PASSWORD),
    async person(name) {
      const email = `${name.toLowerCase()}@example.org`;
      const { id } = await admin.done("POST", "/api/auth/users", { email, password: PASSWORD, role: "analyst" });
      const signIn = (): Promise<Client> => visitor.signIn(email, PASSWORD);
      return { name, id, http: await signIn(), signIn };
    },
    async end() {
      await mesh.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Brings people into a problem set by invitation, each with a role. */
export async function invite(host: Person, set: string, guests: readonly (readonly [Person, string])[]): Promise<void> {
  for (const [guest, role] of guests) {
    const { code } = await host.http.done("POST", `/api/problem-sets/${set}/invite`, { role });
    await guest.http.done("POST", "/api/problem-sets/invite/accept-by-code", { code });
  }
}
