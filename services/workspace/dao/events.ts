import { z } from "zod";
import { event } from "../../../core/records/event.ts";
import { TextId } from "../../../core/records/entity.ts";
import { OUTCOMES } from "./votes/tally.ts";

const place = { problemSetId: TextId, compartments: z.array(TextId).describe("Only those read into all of them may hear of it."), daoId: TextId, by: z.string().describe("User id of who did it, or the mesh.") };
const proposal = { ...place, proposalId: TextId, title: z.string() };

export const DaoFounded = event("workspace.dao.founded", z.object({ ...place, name: z.string() }));
export const DaoConfigured = event("workspace.dao.configured", z.object({ ...place, fields: z.array(z.string()), proposalId: TextId.optional() }));
export const DaoRoleGranted = event("workspace.dao-role.granted", z.object({ ...place, userId: z.string(), roleId: TextId, proposalId: TextId.optional() }));
export const DaoRoleRevoked = event("workspace.dao-role.revoked", z.object({ ...place, userId: z.string(), roleId: TextId, proposalId: TextId.optional() }));
export const PowerDelegated = event("workspace.delegation.made", z.object({ ...place, to: z.string() }));
export const DelegationRevoked = event("workspace.delegation.revoked", z.object(place));
export const ProposalSubmitted = event("workspace.proposal.submitted", z.object(proposal));
export const ProposalOpened = event("workspace.proposal.opened", z.object({ ...proposal, deadline: z.string() }));
export const ProposalExtended = event("workspace.proposal.extended", z.object({ ...proposal, deadline: z.string() }));
export const ProposalClosed = event("workspace.proposal.closed", z.object({ ...proposal, outcome: z.enum(OUTCOMES) }));
export const ProposalExecuted = event("workspace.proposal.executed", z.object({ ...proposal, simulated: z.boolean() }));
export const ProposalExpired = event("workspace.proposal.expired", z.object(proposal));
export const ProposalCancelled = event("workspace.proposal.cancelled", z.object({ ...proposal, reason: z.string().optional() }));
/** That somebody voted, not what. */
export const VoteCast = event("workspace.vote.cast", z.object({ ...proposal, changed: z.boolean() }));
