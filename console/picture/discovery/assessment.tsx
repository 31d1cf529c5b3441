import type { ReactNode } from "react";
import { Section } from "../../parts/page.tsx";
import { Badge, Share, Time } from "../../parts/texts.tsx";
import type { Verdict } from "./decide-dialog.tsx";
import type { DeviceShown } from "./device-words.ts";

const TONES = { benign: "good", suspicious: "warn", malicious: "bad", unknown: "plain" } as const;

/** What an assistant makes of a device. It proposes: a person decides. */
export const Assessment = ({
  analysis: { verdict, proposes, confidence, rationale, method, at, byName },
  onFollow,
}: {
  analysis: NonNullable<DeviceShown["analysis"]>;
  onFollow?(kind: Verdict): void;
}): ReactNode => (
  <Section title="What an assistant makes of it">
    <p className="row">
      <Badge tone={TONES[verdict]}>{verdict}</Badge>
      <Share of={confidence} label="How sure it is" />
    </p>
    <p>{rationale}</p>
    <small className="muted">
      {method === "llm" ? "By a language model" : "By rules"}
      {byName && `, sent by ${byName}`}, <Time at={at} />. It changes nothing by itself.
    </small>
    {proposes !== "none" && onFollow && (
      <div className="row">
        <button type="button" onClick={() => onFollow(proposes)}>
          {proposes === "allow" ? "Allow it, as proposed" : "Block it, as proposed"}
        </button>
      </div>
    )}
  </Section>
);
