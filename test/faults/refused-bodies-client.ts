// A client in a process of its own: sends bodies to the addresses it is given, and prints what it was answered, or what
// went wrong. As arguments: address, method, megabytes, times, bearer token.
const [, , url, method, megabytes, times, token] = process.argv as string[];
const bytes = Buffer.alloc(Number(megabytes) * 2 ** 20, "x");
const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };

/** Without a length that is announced. */
function inPieces(): ReadableStream {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, (at += 65_536)));
    },
  });
}

const ask = (body: Buffer | ReadableStream): Promise<string> =>
  fetch(url!, { method: method!, headers, body, duplex: "half" } as RequestInit).then(
    async (answer) => `${answer.status} ${((await answer.json()) as { error: { code: string } }).error.code}`,
    (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
  );

const told: string[] = [];
for (let n = 0; n < Number(times); n++) told.push(await ask(bytes), await ask(inPieces()));
console.log(JSON.stringify(told));
