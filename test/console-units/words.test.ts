import { claimsOf, proves } from "../../console/identity/credentials/claims.ts";
import { scopesInWords } from "../../console/identity/keys/scopes.ts";
import { deviceOf } from "../../console/identity/signing-in/device.ts";
import { momentInWords } from "../../console/parts/moment-words.ts";
import { actInWords } from "../../console/platform/audit/acts.ts";
import { CONFIGURATIONS, valueOf } from "../../console/platform/settings/fields.ts";

// What the console says in words, and what it makes of a form: without a browser.

it.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
    "Chrome on Linux",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  ["Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0", "Firefox on Android"],
  ["curl/8.5.0", "curl"],
  [undefined, "a program without a name"],
])("calls %s %s", (agent, device) => {
  expect(deviceOf(agent)).toBe(device);
});

it("says what a key may do", () => {
  expect(scopesInWords(["read"])).toBe("Reads everything that you may");
  expect(scopesInWords(["write", "articles", "search", "gates"])).toBe(
    "Reads and changes articles, search and decision gates",
  );
  // A part of the platform that is no more.
  expect(scopesInWords(["former"])).toBe("Reads former");
});

it("says what a credential proves", () => {
  const clearance = { credentialSubject: { id: "did:key:z6Mk", level: "secret", compartments: ["a", "b"] } };
  expect(proves("security-clearance", clearance)).toBe("Cleared to secret");
  expect(claimsOf(clearance)).toEqual([
    ["about", "did:key:z6Mk"],
    ["level", "secret"],
    ["compartments", "a, b"],
  ]);
  expect(proves("of-another-kind", {})).toBe("of another kind");
});

it("says what was done", () => {
  expect(actInWords("command.units.create")).toEqual({ act: "create units", part: "command" });
  expect(actInWords("gates.create")).toEqual({ act: "create gates", part: "" });
  expect(actInWords("auth.users.create").act).toBe("make an account");
});

it("gives what is empty back to the environment, and leaves a secret as it is", () => {
  const { fields } = CONFIGURATIONS.llm;
  expect(valueOf(fields, { model: "one", timeoutMs: "500" })).toEqual({
    ...Object.fromEntries(fields.filter(({ kind }) => kind !== "secret").map(({ name }) => [name, null])),
    model: "one",
    timeoutMs: 500,
  });
  expect(valueOf(fields, { apiKey: "sk-1" })).toMatchObject({ apiKey: "sk-1" });
  expect(valueOf(fields, { apiKey: "sk-1", "apiKey-clear": "on" })).toMatchObject({ apiKey: null });
});

const NIGHT = new Date(2026, 10, 30, 20, 0);
it.each([
  [-30_000, "just now"],
  [-3 * 3_600_000, "3 hours ago"],
  [45 * 60_000, "in 45 minutes (20:45)"],
  [12 * 3_600_000, "in 12 hours (1 Dec, 08:00)"],
  [26 * 3_600_000, "tomorrow (1 Dec, 22:00)"],
  // Three quarters of a night after tomorrow.
  [30 * 3_600_000, "in 2 days (2 Dec, 02:00)"],
  [-45 * 3_600_000, "2 days ago"],
  [20 * 86_400_000, "20 Dec 2026, 20:00"],
])("says of a moment %d ms away: %s", (away, words) => {
  expect(momentInWords(new Date(NIGHT.getTime() + away), NIGHT)).toBe(words);
});
