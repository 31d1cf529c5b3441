import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { Vote } from "./votes/ballots.ts";
import { tend } from "./proposals/proposal-clock.ts";
import { daoActions } from "./daos.actions.ts";
import { Dao } from "./daos.ts";
import { delegationActions } from "./delegations/delegations.actions.ts";
import { DelegationBook } from "./delegations/delegations.ts";
import * as events from "./events.ts";
import { EXECUTE, executing } from "./proposals/execution.ts";
import { memberActions } from "./members/members.actions.ts";
import { DaoMember, DaoRole } from "./members/members.ts";
import { heldInDaos } from "./personal.ts";
import { Snapshot } from "./votes/power.ts";
import { proposalActions } from "./proposals/proposals.actions.ts";
import { Proposal } from "./proposals/proposals.ts";
import { standingActions } from "./standing/standing.actions.ts";
import { voteActions } from "./votes/votes.actions.ts";

const TEND_MS = 1_000;

export default {
  name: "dao",
  metadata: { description: "Deciding together: members, proposals, votes, treasury, delegation." },
  settings: { rest: "/dao" },
  mixins: [
    domain({
      entities: [Dao, DaoRole, DaoMember, DelegationBook, Proposal, Vote, Snapshot],
      // How many voted is told when the voting is over.
      books: [Vote, Snapshot],
      tells: () => eventsIn(events),
      personal: heldInDaos,
      jobs: { [EXECUTE]: executing },
      schedules: { tend: { everyMs: TEND_MS, run: tend } },
    }),
  ],
  actions: {
    ...daoActions,
    ...memberActions,
    ...delegationActions,
    ...proposalActions,
    ...voteActions,
    ...standingActions,
  },
} satisfies MeshService;
