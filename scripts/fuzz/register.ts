import { request } from "node:http";
import { SoftAuthenticator } from "../../test/identity/authenticator.ts";

/**
 * Registers an account at a running node as a browser does, with a passkey, and says its session cookie: nobody
 * confirmed its address.
 */
const [url, email, from] = process.argv.slice(2) as [string, string, string | undefined];
const { protocol, hostname, port } = new URL(url);
const authenticator = new SoftAuthenticator(
  `${protocol}//${hostname === "127.0.0.1" ? "localhost" : hostname}:${port}`,
);

function post(path: string, body: object): Promise<{ data: any; cookie: string | undefined }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(path, url),
      {
        method: "POST",
        ...(from && { localAddress: from }),
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      },
      async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString();
        if (answer.statusCode! >= 300) reject(new Error(`POST ${path}: ${answer.statusCode} ${text.slice(0, 500)}`));
        else resolve({ data: JSON.parse(text).data, cookie: answer.headers["set-cookie"]?.[0]?.split(";")[0] });
      },
    );
    asked.on("error", reject).end(JSON.stringify(body));
  });
}

const begun = await post("/api/auth/register", { email, name: "Fuzzer" });
const { cookie } = await post("/api/auth/register/verify", authenticator.create(begun.data));
console.log(cookie);
