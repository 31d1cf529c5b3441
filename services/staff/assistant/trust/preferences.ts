import { z } from "zod";
import { ACTION_CLASSES } from "../../../../config/safety.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

export const TRUST_MS = 30 * 86_400_000;

/** A person's consent for a while: to one tool's acts in one problem set. Visible to them alone. */
export const Preference = entity("assistant.preferences", {
  title: "trust preference",
  fields: {
    problemSetId: TextId,
    by: PersonId,
    tool: z.string(),
    class: z.enum(ACTION_CLASSES),
    role: z.string().describe("Yours in the problem set when you agreed: with another one it has ended."),
    definitionHash: z.string().describe("Of the tool as it was then: as another one it is not trusted."),
    agentVersion: z.int().describe("Of the assistant then."),
    expiresAt: Instant,
  },
  lists: [{ by: ["by"], sort: ["-createdAt"], filter: [] }],
  indexes: [{ fields: ["tool"] }],
});
export type Preference = Item<typeof Preference>;

export const PreferenceView = Preference.view
  .extend({ holds: z.boolean().describe("Whether it is still valid, given its expiry and your role.") })
  .meta({ id: "TrustPreference" });

export const preferenceId = (by: string, problemSetId: string, tool: string): string =>
  derivedId(`trust ${by} ${problemSetId} ${tool}`);

interface Standpoint {
  role: string | undefined;
  now: string;
}
export const isOn = ({ role, expiresAt }: Preference, at: Standpoint): boolean =>
  role === at.role && expiresAt > at.now;

/** Whether it consents to an act: with this version of the tool, of the agent, and the person's same role. */
export const answers = (
  preference: Preference,
  act: { tool: string; definitionHash?: string | undefined; agentVersion: number },
  at: Standpoint,
): boolean =>
  isOn(preference, at) &&
  preference.tool === act.tool &&
  preference.definitionHash === act.definitionHash &&
  preference.agentVersion === act.agentVersion;
