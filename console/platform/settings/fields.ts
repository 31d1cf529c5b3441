import type { Data } from "../../api/client.ts";

export type SettingsName = "llm" | "agents" | "workflow";
export type ShownConfiguration = Data<
  "GET /admin/config/llm" | "GET /admin/config/agents" | "GET /admin/config/workflow"
>;

/** How one field of a configuration is asked for; the API says what it takes. */
export interface SettingField {
  name: string;
  label: string;
  hint: string;
  kind: "text" | "url" | "number" | "secret" | "choice";
  options?: readonly (readonly [value: string, words: string])[];
}

const field = (name: string, label: string, hint: string, kind: SettingField["kind"] = "number"): SettingField => ({
  name,
  label,
  hint,
  kind,
});

export const CONFIGURATIONS: Readonly<
  Record<SettingsName, { title: string; intro: string; fields: readonly SettingField[] }>
> = {
  llm: {
    title: "Language model",
    intro: "Which model writes and judges, how it is called, and what it may cost.",
    fields: [
      field("baseUrl", "Address", "Of a service that speaks the protocol of OpenAI, such as https://…/v1.", "url"),
      field("model", "Model", "As its provider calls it.", "text"),
      field("apiKey", "Key", "For the provider. It is sealed, and goes to this address only.", "secret"),
      field("timeoutMs", "Longest wait", "For one answer, in milliseconds."),
      field("maxRetries", "Tries again", "After a failure that may pass."),
      field("concurrency", "At the same time", "Questions that are asked at once."),
      field("dailyTokens", "Tokens a day", "At most; then rules do the work until tomorrow."),
      field("dailyCost", "Cost a day", "At most; it needs the two prices."),
      field("priceIn", "Price of questions", "For a million tokens."),
      field("priceOut", "Price of answers", "For a million tokens."),
    ],
  },
  agents: {
    title: "Limits of agents",
    intro: "How much agents may do before a person looks.",
    fields: [
      field("runs", "Runs at once", "Of all agents together."),
      field("steps", "Steps of a run", "At most."),
      field("calls", "Calls of tools in a run", "At most."),
      field("tokens", "Tokens of a run", "At most."),
      field("cost", "Cost of a run", "At most; it needs prices of the language model."),
      field("approvalHours", "An approval waits", "So many hours for a person; then the act is dropped."),
      field("delegationDays", "A delegation lasts", "So many days at most."),
    ],
  },
  workflow: {
    title: "Gates and invitations",
    intro: "What new gates and invitations are like where nobody says otherwise.",
    fields: [
      {
        ...field("gateEnforcement", "A gate that is shut", "What it does to what it guards.", "choice"),
        options: [
          ["hard", "blocks it"],
          ["soft", "warns only"],
        ],
      },
      {
        ...field("gateOnDeadline", "When its time is over", "And nobody has decided.", "choice"),
        options: [
          ["expire", "it expires"],
          ["escalate", "it goes to the set above"],
        ],
      },
      field("gateDeadlineHours", "A gate waits", "So many hours for its decision."),
      field("missionInviteDays", "An invitation to a mission lasts", "So many days."),
    ],
  },
};

/** What the API wants of a form: what is empty goes back to the environment; a secret that is empty stays. */
export function valueOf(
  fields: readonly SettingField[],
  form: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }): [string, unknown][] => {
      const given = form[name];
      if (kind === "secret") return form[`${name}-clear`] ? [[name, null]] : given ? [[name, given]] : [];
      return [[name, given === undefined ? null : kind === "number" ? Number(given) : given]];
    }),
  );
}

/** What is stored of a field; undefined where the environment's holds. */
export const storedOf = ({ sources, value }: ShownConfiguration, name: string): string | undefined =>
  (sources as Record<string, string>)[name] === "stored" ? String((value as Record<string, unknown>)[name]) : undefined;

/** What holds where nothing is stored, in words. */
export function defaultOf({ environment }: ShownConfiguration, { name, options }: SettingField): string {
  const given = (environment as Record<string, unknown>)[name];
  if (given === undefined) return "none";
  return options?.find(([value]) => value === given)?.[1] ?? String(given);
}
