import { linkIn } from "../identity/letters.ts";
import { account } from "../identity/browser.ts";
import { world, type TestWorld } from "../mesh.ts";

// Letters where no mail server is configured: whoever develops here reads them; nobody else reads a link that signs in.

const letters = (at: TestWorld, as?: string) => at.http("GET", "/api/admin/letters", { ...(as && { as }) });

async function withLetter(settings: Record<string, string>): Promise<{ at: TestWorld; email: string; link: string }> {
  const at = await world(settings);
  const { email } = await account(at);
  return { at, email, link: await linkIn(at, "magic-link", email) };
}

it("are shown to system administrators on the machine itself", async () => {
  const { at, email, link } = await withLetter({});
  const { body } = await letters(at);
  expect(body.meta).toEqual({ total: 1, mailServer: false });
  expect(body.data[0]).toMatchObject({ to: [email], subject: expect.any(String), text: expect.stringContaining(link) });
  expect((await letters(at, "admin")).status).toBe(403);
  await at.stop();
});

it("are told of without their text where others reach the platform", async () => {
  const { at, email, link } = await withLetter({ PUBLIC_URL: "https://signalmesh.example.org" });
  const { body, text } = await letters(at);
  expect(body.data[0]).toMatchObject({ to: [email] });
  expect(text).not.toContain(link);
  await at.stop();
});

it("are not kept where there is a mail server", async () => {
  const at = await world({ SMTP_URL: "smtp://127.0.0.1:9?tls=off" });
  await at.http("POST", "/api/auth/magic-link", { as: null, body: { email: (await account(at)).email } });
  expect((await letters(at)).body).toMatchObject({ data: [], meta: { mailServer: true } });
  await at.stop();
});
