interface Answer {
  status: number;
  body: any;
}

/** Speaks to a platform over HTTP, as its users do. */
export class Client {
  readonly url: string;
  readonly token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url;
    this.token = token;
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const isForm = body instanceof FormData;
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        ...(body !== undefined && !isForm && { "content-type": "application/json" }),
        ...this.#authorization(),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() };
  }

  #authorization(): Record<string, string> {
    return this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
  }

  /** What must succeed; answers its data. */
  async done(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<any> {
    const answer = await this.ask(method, path, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body?.data;
  }

  /** What must be refused; answers why, in the platform's words. */
  async refused(status: number, method: string, path: string, body?: unknown): Promise<string> {
    const answer = await this.ask(method, path, body);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} instead of ${status}`);
    return answer.body.error.message;
  }

  /** What a stream tells, from its beginning to its end, as it comes. */
  async *follow(path: string, headers: Record<string, string> = {}): AsyncGenerator<{ event: string; data: any }> {
    const answer = await fetch(this.url + path, { headers: { ...this.#authorization(), ...headers } });
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    let waiting = "";
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (waiting + chunk).split("\n\n");
      waiting = blocks.pop()!;
      for (const block of blocks) {
        const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
        const [event, data] = [field("event"), field("data")];
        if (event !== undefined) yield { event, data: data === undefined ? undefined : JSON.parse(data) };
      }
    }
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
