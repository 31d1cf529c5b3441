import { useRef, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";

const MOST_BYTES = 512 * 1024;

/** The profile picture: chosen, changed, taken back. */
export function Picture({ avatar, name }: { avatar: string | undefined; name: string }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const set = useAct("PUT /user-profile/avatar", { says: "Your picture is changed." });
  const remove = useAct("DELETE /user-profile/avatar", { says: "Your picture is removed." });
  return (
    <div className="row">
      {avatar ? (
        <img className="avatar" src={avatar} alt={name} width={72} height={72} />
      ) : (
        <span className="avatar none" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
      )}
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label="Picture file"
        hidden
        onChange={({ currentTarget: { files } }) => {
          const file = files?.[0];
          if (file) set.mutate({ options: { file } });
        }}
      />
      <button type="button" disabled={set.isPending} onClick={() => input.current!.click()}>
        {avatar ? "Change picture" : "Add a picture"}
      </button>
      {avatar && (
        <button type="button" disabled={remove.isPending} onClick={() => remove.mutate({})}>
          Remove picture
        </button>
      )}
      <small className="muted">
        PNG, JPEG or WebP, up to {MOST_BYTES / 1024} KiB. Places and other data inside it are removed.
      </small>
    </div>
  );
}
