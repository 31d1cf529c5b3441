import { PASSWORD, type Asked, type Reply, type TestWorld } from "../mesh.ts";

/** The cookie that an answer sets, as `name=value`; undefined where it sets none. */
export const cookieOf = (reply: Reply): string | undefined => reply.headers.get("set-cookie")?.split(";")[0];

/** Speaks as a browser does: keeps its cookie, names its site on every unsafe request. */
export class Browser {
  readonly at: TestWorld;
  cookie: string | undefined;

  constructor(at: TestWorld, cookie?: string) {
    this.at = at;
    this.cookie = cookie;
  }

  async http(method: string, path: string, { headers, ...asked }: Asked = {}): Promise<Reply> {
    const reply = await this.at.http(method, path, {
      as: null,
      ...asked,
      headers: {
        ...(this.cookie && { cookie: this.cookie }),
        ...(method !== "GET" && { "sec-fetch-site": "same-origin" }),
        ...headers,
      },
    });
    const given = cookieOf(reply);
    if (given) this.cookie = given.endsWith("=") ? undefined : given;
    return reply;
  }

  /** Signs in with email and password, under a session. */
  async signIn(email: string): Promise<this> {
    const reply = await this.http("POST", "/api/auth/login", { body: { email, password: PASSWORD, session: true } });
    if (reply.status !== 200) throw new Error(`cannot sign in: ${reply.text}`);
    return this;
  }
}

let count = 0;

/** A new account with the password of the suite. */
export async function account(at: TestWorld, fields: object = {}): Promise<{ id: string; email: string }> {
  const made = await at.http("POST", "/api/auth/users", {
    body: {
      email: `person${++count}.${Math.random().toString(36).slice(2)}@example.org`,
      password: PASSWORD,
      ...fields,
    },
  });
  if (made.status !== 201) throw new Error(`cannot make an account: ${made.text}`);
  return made.body.data;
}
