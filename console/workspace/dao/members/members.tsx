import { useState, type ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { amountWords } from "../amounts.ts";
import type { DaoMember, DaoRole } from "../dao-types.ts";
import { BASIS_WORDS, ELECTORATE_WORDS, whyNot } from "../rule-words.ts";
import { DaoPage, useDao, useRoles } from "../use-dao.tsx";
import { EnrolDialog } from "./enrol.tsx";
import { MemberActs } from "./member-acts.tsx";
import { NewRole } from "./new-role.tsx";
import { powerOf } from "./own-power.ts";
import { VotingAddress } from "./voting-address.tsx";

/** Who holds what in the DAO: roles, tokens, addresses; whoever governs it changes that here. */
export function DaoMembers(): ReactNode {
  const { dao, mine } = useDao();
  const { govern } = mine.acts;
  const [asked, setAsked] = useState<"enrol" | "role">();
  return (
    <DaoPage
      title="Members"
      intro={`Who votes: ${ELECTORATE_WORDS[dao.config.electorate].toLowerCase()}. Power: ${BASIS_WORDS[dao.config.basis].toLowerCase()}.`}
      acts={
        govern.allowed && (
          <button type="button" onClick={() => setAsked("enrol")}>
            Enrol somebody
          </button>
        )
      }
    >
      {!govern.allowed && <p className="muted">You cannot change this here: {whyNot(govern.why)}</p>}
      <Enrolled />
      <Section
        title="Roles of the DAO"
        acts={
          govern.allowed && (
            <button type="button" onClick={() => setAsked("role")}>
              Add a role
            </button>
          )
        }
      >
        <Roles />
      </Section>
      <VotingAddress />
      {asked === "enrol" && <EnrolDialog onClose={() => setAsked(undefined)} />}
      {asked === "role" && <NewRole onClose={() => setAsked(undefined)} />}
    </DaoPage>
  );
}

function Enrolled(): ReactNode {
  const { dao, mine } = useDao();
  const roles = useRoles();
  const members = useAnswer(
    "GET /dao/{daoId}/members",
    [{ path: { daoId: dao.id }, query: { page: usePage(), sort: "createdAt" } }],
    { keepsShown: true },
  );
  return (
    <Section title="Enrolled">
      {dao.config.electorate === "problem-set" && (
        <p className="muted">
          Here are those with a role, tokens or an address in the DAO. Other members of the problem set vote, too.
        </p>
      )}
      <Shown of={members}>
        {({ data, meta }) => (
          <>
            <Table
              label="Enrolled members"
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsFor(dao.config.basis, roles, mine.acts.govern.allowed)}
              empty="Nobody is enrolled yet."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

function columnsFor(
  basis: Parameters<typeof powerOf>[0],
  roles: readonly DaoRole[],
  mayGovern: boolean,
): readonly Column<DaoMember>[] {
  const names = new Map(roles.map(({ id, name }) => [id, name]));
  return [
    { head: "Member", cell: ({ userId, userName }) => userName ?? userId },
    {
      head: "Roles",
      cell: (member) => member.roles.map((id) => names.get(id) ?? id).join(", ") || <span className="muted">none</span>,
    },
    { head: "Tokens", cell: ({ tokens }) => amountWords(tokens), isFigure: true },
    { head: "Own power", cell: (member) => amountWords(powerOf(basis, member, roles)), isFigure: true },
    {
      head: "Signs with",
      cell: ({ address }) => (address ? <code>{address}</code> : <span className="muted">no address</span>),
    },
    ...(mayGovern
      ? [{ head: "Acts", isAct: true, cell: (member: DaoMember) => <MemberActs member={member} roles={roles} /> }]
      : []),
  ];
}

const ALLOWS = { propose: "propose below the threshold", cancel: "withdraw any proposal" } as const;

const ROLE_COLUMNS: readonly Column<DaoRole>[] = [
  {
    head: "Role",
    cell: ({ name, description }) => (
      <>
        {name}
        {description && <p className="muted">{description}</p>}
      </>
    ),
  },
  { head: "Weight", cell: ({ weight }) => amountWords(weight), isFigure: true },
  {
    head: "Allows",
    cell: ({ allows }) =>
      allows.map((one) => ALLOWS[one]).join(", ") || <span className="muted">nothing more than voting</span>,
  },
];

const Roles = (): ReactNode => (
  <Table
    label="Roles of the DAO"
    rows={useRoles()}
    keyOf={({ id }) => id}
    columns={ROLE_COLUMNS}
    empty="There are none. A role gives its holders weight, or lets them do more than vote."
  />
);
