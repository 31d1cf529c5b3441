interface Answer {
  status: number;
  body: any;
}

/** Speaks to a platform over HTTP, as its users do. */
export class Client {
  readonly url: string;
  readonly #token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url;
    this.#token = token;
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() };
  }

  /** What must succeed; answers its data. */
  async done(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body?.data;
  }

  /** Reads again until the answer fits, for at most half a minute. */
  async until(path: string, fits: (body: any) => boolean): Promise<any> {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
      const { body } = await this.ask("GET", path);
      if (fits(body)) return body;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${path} did not get there in half a minute`);
  }

  async signIn(email: string, password: string): Promise<Client> {
    return new Client(this.url, (await this.done("POST", "/api/auth/login", { email, password })).token);
  }
}
