import { useState, type ReactNode } from "react";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useOwnDids } from "../../../app/own-dids.ts";
import { Copied } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { Time } from "../../../parts/texts.tsx";
import { choicesOf } from "../../set/known.ts";
import { useSet } from "../../set/use-set.tsx";
import { PARTS, type Mission, type MissionPart } from "./mission-words.ts";

/** Asks a member, or whoever has the link, to take part. */
export function InviteToMission({ mission, onClose }: { mission: Mission; onClose(): void }): ReactNode {
  const { set } = useSet();
  const [link, setLink] = useState<string>();
  const members = useAnswer("GET /problem-sets/{id}/members", [
    { path: { id: set.id }, query: { status: "active", limit: 100 } },
  ]);
  const invite = useAct("POST /missions/{id}/invites", {
    tellsRefusal: false,
    then: ({ data }) =>
      setLink(`${location.origin}/workspace/${set.id}/missions/${mission.id}#join=${encodeURIComponent(data.code)}`),
  });
  const people = choicesOf(members.data?.data ?? [], ({ did }) => did);
  if (link)
    return (
      <Dialog title="Send this link" onClose={onClose}>
        <p>It is shown only now. Whoever opens it and may see the mission can join.</p>
        <Copied label="Link" text={link} />
      </Dialog>
    );
  return (
    <Dialog title={`Invite to “${mission.name}”`} onClose={onClose}>
      <Form
        act="Make the invitation"
        onSubmit={({ did, part, mostUses }) =>
          invite.mutateAsync({
            path: { id: mission.id },
            body: {
              part: part as MissionPart,
              ...(did ? { did } : { mostUses: Number(mostUses ?? 1) }),
            },
          })
        }
      >
        <Select
          label="Whom"
          name="did"
          hint="Only members of the problem set can join."
          options={[["", "Whoever has the link"], ...people]}
        />
        <Select label="As" name="part" options={PARTS} />
        <Field
          label="How many may use it"
          name="mostUses"
          type="number"
          min={1}
          max={1_000}
          defaultValue={1}
          hint="Where it is for whoever has the link."
        />
      </Form>
    </Dialog>
  );
}

const stands = ({ revoked, used, mostUses, expiresAt }: ListRow<"GET /missions/{id}/invites">): boolean =>
  !revoked && used < mostUses && Date.parse(expiresAt) > Date.now();

/** Invitations that still stand: all of them for whoever invites, otherwise those for this person. */
function useOpenInvites(mission: Mission) {
  const invites = useAnswer("GET /missions/{id}/invites", [{ path: { id: mission.id }, query: { limit: 50 } }]);
  return (invites.data?.data ?? []).filter(stands);
}

/** Asks whoever is invited by name to join. */
export function MyInvitation({ mission }: { mission: Mission }): ReactNode {
  const dids = useOwnDids();
  const invite = useOpenInvites(mission).find(({ did }) => did !== undefined && dids?.includes(did));
  const join = useAct("POST /missions/accept-invite", { says: `You take part in “${mission.name}”.` });
  if (!invite) return null;
  return (
    <p className="row between invited">
      <span>
        {invite.createdByName ?? "Somebody"} invites you to take part, as {invite.part}.
      </span>
      <button
        type="button"
        className="primary"
        disabled={join.isPending}
        onClick={() => join.mutate({ body: { inviteId: invite.id } })}
      >
        Join
      </button>
    </p>
  );
}

/** What was sent out and not used yet. */
export function Invitations({ mission }: { mission: Mission }): ReactNode {
  const open = useOpenInvites(mission);
  const withdraw = useAct("DELETE /missions/{id}/invites/{inviteId}", { says: "The invitation is withdrawn." });
  if (!open.length) return null;
  return (
    <>
      <h3>Invited</h3>
      <ul className="list">
        {open.map(({ id, did, didName, part, used, mostUses, expiresAt }) => {
          const whom = did ? (didName ?? did) : "Whoever has the link";
          return (
            <li key={id} className="row between">
              <span>
                {whom}, as {part}
                {mostUses > 1 && `, ${used} of ${mostUses} used`}{" "}
                <small className="muted">
                  ends <Time at={expiresAt} />
                </small>
              </span>
              <button
                type="button"
                aria-label={`Withdraw the invitation: ${whom}`}
                disabled={withdraw.isPending}
                onClick={() => withdraw.mutate({ path: { id: mission.id, inviteId: id } })}
              >
                Withdraw
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Whoever came by an invitation's link joins, or not. */
export function JoinMission({
  code,
  mission,
  onClose,
}: {
  code: string;
  mission: Mission;
  onClose(): void;
}): ReactNode {
  const join = useAct("POST /missions/accept-invite", {
    tellsRefusal: false,
    says: `You take part in “${mission.name}”.`,
    then: onClose,
  });
  return (
    <Dialog title={`Join “${mission.name}”`} onClose={onClose}>
      <p>You are invited to take part in this mission.</p>
      <Form act="Join" onSubmit={() => join.mutateAsync({ body: { code } })}>
        {null}
      </Form>
    </Dialog>
  );
}
