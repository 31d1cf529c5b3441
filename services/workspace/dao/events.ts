import { z } from "zod";
import { event } from "../../../core/events/event.ts";
import { TextId } from "../../../core/records/entity.ts";
import { VOTE_OUTCOMES } from "./votes/tally.ts";

const place = {
  problemSetId: TextId,
  compartments: z.array(TextId).describe("Only those read into all of them may hear of it."),
  daoId: TextId,
  by: z.string().describe("User id of who did it, or the mesh."),
};
const proposal = { ...place, proposalId: TextId, title: z.string() };

export const DaoFounded = event("workspace.dao.founded", z.object({ ...place, name: z.string() }), {
  activity: { subject: ["dao", "daoId"], words: ({ name }) => `The DAO "${name}" was founded.` },
});
export const DaoConfigured = event(
  "workspace.dao.configured",
  z.object({ ...place, fields: z.array(z.string()), proposalId: TextId.optional() }),
  { activity: { subject: ["dao", "daoId"], words: () => "A DAO was configured." } },
);
export const DaoRoleGranted = event(
  "workspace.dao-role.granted",
  z.object({ ...place, userId: z.string(), roleId: TextId, proposalId: TextId.optional() }),
  { activity: { subject: ["dao", "daoId"], words: () => "A role in a DAO was granted." } },
);
export const DaoRoleRevoked = event(
  "workspace.dao-role.revoked",
  z.object({ ...place, userId: z.string(), roleId: TextId, proposalId: TextId.optional() }),
  { activity: { subject: ["dao", "daoId"], words: () => "A role in a DAO was revoked." } },
);
export const PowerDelegated = event("workspace.delegation.made", z.object({ ...place, to: z.string() }), {
  activity: { subject: ["dao", "daoId"], words: () => "Voting power was delegated." },
});
export const DelegationRevoked = event("workspace.delegation.revoked", z.object(place), {
  activity: { subject: ["dao", "daoId"], words: () => "A delegation of voting power was revoked." },
});
export const ProposalSubmitted = event("workspace.proposal.submitted", z.object(proposal), {
  activity: { subject: ["proposal", "proposalId"], words: ({ title }) => `A proposal was put forward: ${title}` },
});
export const ProposalOpened = event("workspace.proposal.opened", z.object({ ...proposal, deadline: z.string() }), {
  activity: { subject: ["proposal", "proposalId"], words: ({ title }) => `Voting began: ${title}` },
});
export const ProposalExtended = event("workspace.proposal.extended", z.object({ ...proposal, deadline: z.string() }), {
  activity: {
    subject: ["proposal", "proposalId"],
    words: ({ title, deadline }) => `Voting goes on until ${deadline}: ${title}`,
  },
});
export const ProposalClosed = event(
  "workspace.proposal.closed",
  z.object({ ...proposal, outcome: z.enum(VOTE_OUTCOMES), reason: z.string().optional() }),
  {
    activity: {
      subject: ["proposal", "proposalId"],
      words: ({ title, outcome, reason }) => `Voting ended (${outcome}): ${title}${reason ? ` – ${reason}` : ""}`,
    },
  },
);
export const ProposalExecuted = event(
  "workspace.proposal.executed",
  z.object({ ...proposal, simulated: z.boolean() }),
  { activity: { subject: ["proposal", "proposalId"], words: ({ title }) => `A proposal was carried out: ${title}` } },
);
export const ProposalExpired = event("workspace.proposal.expired", z.object(proposal), {
  activity: { subject: ["proposal", "proposalId"], words: ({ title }) => `A proposal expired: ${title}` },
});
export const ProposalCancelled = event(
  "workspace.proposal.cancelled",
  z.object({ ...proposal, reason: z.string().optional() }),
  { activity: { subject: ["proposal", "proposalId"], words: ({ title }) => `A proposal was cancelled: ${title}` } },
);
/** That somebody voted, not what. */
export const VoteCast = event("workspace.vote.cast", z.object({ ...proposal, changed: z.boolean() }), {
  activity: { subject: ["proposal", "proposalId"], words: ({ title }) => `Somebody voted: ${title}` },
});
