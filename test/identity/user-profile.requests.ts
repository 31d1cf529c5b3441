import type { Rows } from "../requests.ts";

export const requests: Rows["requests"] = {
  "POST /api/user-profile": async () => ({
    path: "/api/user-profile",
    body: { displayName: "Ada Lovelace", timeZone: "Europe/London" },
  }),
  "POST /api/user-profile/validate-email": async () => ({
    path: "/api/user-profile/validate-email",
    as: null,
    body: { email: "someone@example.org" },
  }),
};

export const notRepeated: Rows["notRepeated"] = {
  "POST /api/user-profile/erasure": "its credential ends with it; its story is told in test/identity/personal",
};
