import { useState, type ReactNode } from "react";
import { useAsWritten, type AsWritten } from "../../api/as-opened.ts";
import { useAct } from "../../api/hooks.ts";
import { Refusal } from "../../api/client.ts";
import { Check, Field, Form, Select, type FormFields } from "../../parts/form.tsx";
import {
  CONFIGURATIONS,
  defaultOf,
  storedOf,
  valueOf,
  type ShownConfiguration,
  type SettingsName,
  type SettingField,
} from "./fields.ts";

const savedBy = (name: SettingsName) => `PUT /admin/config/${name}` as const;

/** A field is named as a refusal names it, and so shows it. */
const WITHIN = "value.";

interface SettingsFormProps {
  name: SettingsName;
  of: ShownConfiguration;
}

/** Every field of a configuration; a trial shows what would be refused, and stores nothing. */
export function SettingsForm(given: SettingsFormProps): ReactNode {
  const written = useAsWritten(given.of.rev);
  return <Settings key={written.key} {...given} written={written} />;
}

function Settings({ name, of: present, written }: SettingsFormProps & { written: AsWritten }): ReactNode {
  const { fields } = CONFIGURATIONS[name];
  const [told, setTold] = useState<string>();
  const [isUnreachable, setUnreachable] = useState(false);
  const save = useAct(savedBy(name), { tellsRefusal: false, says: (answer) => saved(answer.data.dryRun) });
  async function submit({ way, reason, force, ...given }: FormFields): Promise<void> {
    setTold(undefined);
    const form = Object.fromEntries(Object.entries(given).map(([key, value]) => [key.slice(WITHIN.length), value]));
    try {
      const { data } = await written.inTime(
        save.mutateAsync({
          options: written.options,
          query: { dryRun: way === "try", force: force === "on" },
          body: { value: valueOf(fields, form) as never, ...(reason && { reason }) },
        }),
      );
      if (!data.dryRun) written.noteKept();
      setTold(data.warnings?.map(({ message }) => message).join(" "));
    } catch (error) {
      setUnreachable(error instanceof Refusal && error.code === "UNREACHABLE");
      throw error;
    }
  }
  return (
    <Form
      act="Save"
      label={CONFIGURATIONS[name].title}
      onSubmit={submit}
      onWriting={written.noteWriting}
      beside={
        <button name="way" value="try">
          Try it first
        </button>
      }
    >
      <div className="columns">
        {fields.map((field) => (
          <Setting key={field.name} field={field} of={present} />
        ))}
      </div>
      <Field label="Why" name="reason" maxLength={1000} hint="Others read it in the history." />
      {isUnreachable && <Check label="Save it even if the model does not answer" name="force" />}
      {told && <p role="status">{told}</p>}
    </Form>
  );
}

const saved = (isTrial: boolean | undefined): string =>
  isTrial ? "It would be taken as it is. Nothing was stored." : "It is saved, and holds on all nodes.";

function Setting({ field, of: present }: { field: SettingField; of: ShownConfiguration }): ReactNode {
  const { name, label, hint, kind, options } = field;
  const kept = storedOf(present, name);
  const byDefault = defaultOf(present, field);
  if (kind === "secret") return <SecretSetting field={field} of={present} />;
  if (kind === "choice")
    return (
      <Select
        label={label}
        name={WITHIN + name}
        hint={hint}
        defaultValue={kept ?? ""}
        options={[["", `as set at the start: ${byDefault}`], ...options!]}
      />
    );
  return (
    <Field
      label={label}
      name={WITHIN + name}
      defaultValue={kept}
      placeholder={byDefault}
      hint={kept === undefined ? hint : `${hint} Empty: as set at the start, ${byDefault}.`}
      {...(kind === "number" ? { type: "number", step: "any", min: 0 } : { type: kind })}
    />
  );
}

/** A secret is never shown: it is set, or it is not. */
function SecretSetting({
  field: { name, label, hint },
  of: present,
}: {
  field: SettingField;
  of: ShownConfiguration;
}): ReactNode {
  const mask = (present.value as Record<string, { set: boolean; last4?: string } | undefined>)[name];
  const isStored = (present.sources as Record<string, string>)[name] === "stored";
  return (
    <div className="stack">
      <Field
        label={label}
        name={WITHIN + name}
        type="password"
        autoComplete="off"
        hint={`${hint} ${mask?.set ? `One is set${mask.last4 ? `, ending in ${mask.last4}` : ""}; empty: it stays.` : "None is set."}`}
      />
      {isStored && <Check label="Forget the key" name={`${WITHIN}${name}-clear`} />}
    </div>
  );
}
