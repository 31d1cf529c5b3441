import { createSecretKey } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { data } from "../../../core/contract/answer.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { endpoint, type MeshService } from "../../../core/contract/endpoint.ts";
import { derive } from "../../../core/ids.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { readAddress } from "./zcash/addresses.ts";
import { Bounty } from "./bounties/bounties.ts";
import { bountyActions } from "./bounties/bounties.actions.ts";
import { Books } from "./ledger/books.ts";
import { Deposit } from "./ledger/deposits.ts";
import { openCollections } from "./context.ts";
import { openEscrow } from "./escrow.ts";
import { meshActions } from "./mesh.actions.ts";
import { moneyActions } from "./payouts/money.actions.ts";
import { Payout } from "./payouts/payouts.ts";
import { PERSONAL } from "./personal.ts";
import { missingSettings, WALLET_ERRORS, WALLET_SETTINGS, withEscrow, type EscrowHost } from "./host.ts";
import { Subscription } from "./subscriptions/subscriptions.ts";
import { subscriptionActions } from "./subscriptions/subscriptions.actions.ts";
import { nothingToShield, payoutResult, ShieldResult, simulatedResult, StatusView } from "./views.ts";
import { isWalletFault, type WalletFault } from "./zcash/wallet-port.ts";

/** A wallet may be busy for long; a request for the status does not wait that long for it. */
const PATIENCE_MS = 3_000;
const ADVANCE_MS = 2_000;
const TEND_MS = 10_000;
const HOUR_MS = 3_600_000;
const FIRST_RECONCILIATION_MS = 60_000;

export default {
  name: "escrow",
  metadata: {
    description:
      "Bounties and monthly subscriptions to sources, paid from deposits that are held until both sides " +
      "have delivered.",
  },
  settings: { rest: "/escrow" },
  mixins: [
    domain({
      entities: [Bounty, Subscription, Payout, Deposit],
      waits: [{ of: Payout, field: "nextAt", since: "updatedAt" }],
      personal: PERSONAL,
      schedules: {
        advance: { everyMs: ADVANCE_MS, run: advance },
        tend: { everyMs: TEND_MS, firstMs: ADVANCE_MS, run: tend },
        reconcile: { everyMs: HOUR_MS, firstMs: FIRST_RECONCILIATION_MS, run: reconcile },
      },
    }),
  ],

  actions: {
    getStatus: endpoint({
      rest: "GET /status",
      summary: "Read the state of the escrow",
      permit: "escrow:read",
      returns: data(StatusView),
      description:
        "Balances in zatoshi according to the wallet and the ledger, open amounts, and the last " +
        "reconciliation. Without a wallet, `configured` is false. If the wallet does not answer, " +
        "`reachable` is false and the other values come from the ledger.",
      async handler() {
        const host = this as EscrowHost;
        const [kept, ledger, wallet] = await Promise.all([counts(host), totals(host), walletOf(host)]);
        return { ...kept, ledger, ...wallet };
      },
    }),

    shield: endpoint({
      rest: "POST /shield",
      summary: "Move deposits into the shielded pool",
      permit: "escrow:administer",
      returns: data(ShieldResult),
      errors: WALLET_ERRORS,
      description:
        "Moves all sufficiently confirmed deposits at the transparent address in one transaction. " +
        "Repeating the request while that is running returns the same order. If nothing can be shielded, `state` is " +
        "`nothing_to_shield` and `reason` says why: nothing came in, it lacks confirmations, or is not worth the fee.",
      handler(ctx) {
        return withEscrow(
          this,
          ctx,
          async (escrow) => {
            const order = await escrow.shield(ctx.meta.actor!.userId);
            return "why" in order ? nothingToShield(order) : payoutResult(order);
          },
          () => simulatedResult("shield"),
        );
      },
    }),

    ...bountyActions,
    ...subscriptionActions,
    ...moneyActions,
    ...meshActions,
  },

  async started(this: EscrowHost) {
    const { world } = this;
    this.shelves = await openCollections(world.documents);
    const missing = missingSettings(this);
    const wallet = world.wallet(readAddress);
    if (wallet)
      this.escrow = await openEscrow({
        documents: world.documents,
        wallet,
        clock: world.clock,
        memoKey: [world.secret, ...world.formerSecrets].map((root) => createSecretKey(derive(root, "escrow memo"))),
      });
    else if (missing.length < WALLET_SETTINGS.length)
      this.logger.warn(`The escrow is off: ${missing.join(", ")} not set.`);
  },
} satisfies MeshService;

async function counts(host: EscrowHost) {
  const caller = asSystem("escrow");
  const [bounties, submitted, subscriptions, payouts, manualReview, kept] = await Promise.all([
    host.store(Bounty).count(caller, { status: "open" }),
    host.store(Bounty).count(caller, { status: "submitted" }),
    host.store(Subscription).count(caller, { status: { $in: ["active", "due"] } }),
    host.store(Payout).count(caller, { inFlight: { $exists: true } }),
    host.store(Payout).count(caller, { state: "manual_review" }),
    host.shelves.state.findById("reconciliation"),
  ]);
  return {
    open: { bounties, submitted, subscriptions, payouts, manualReview },
    reconciliation: kept?.["outcome"] ?? null,
  };
}

async function totals({ shelves, world }: EscrowHost) {
  const { transparent, pool, held, payee: paid, fees } = await new Books(shelves.ledger, world.clock).totals();
  return { transparent, pool, held, paid, fees };
}

async function walletOf(host: EscrowHost) {
  const wallet = host.world.wallet(readAddress);
  const silent = { height: null, wallet: null, reachable: false };
  if (!wallet) return { configured: false, missing: missingSettings(host), ...silent };
  try {
    const answers = Promise.all([wallet.info(), wallet.balances()]);
    const told = await Promise.race([answers, setTimeout(PATIENCE_MS, null, { ref: false })]);
    if (!told)
      return {
        configured: true,
        problem: `The wallet did not answer within ${PATIENCE_MS / 1_000} seconds.`,
        ...silent,
      };
    const [{ height }, balances] = told;
    return { configured: true, reachable: true, height, wallet: balances };
  } catch (error) {
    if (!isWalletFault(error)) throw error;
    return { configured: true, problem: error.message, ...silent };
  }
}

/** Advances payouts. A failure of one is logged; it is tried again at its own time. */
async function advance(this: EscrowHost): Promise<void> {
  if (!this.escrow) return;
  const { failures } = await this.escrow.advanceAll();
  for (const { payoutId, message } of failures) this.logger.error(`Payout ${payoutId}: ${message}`);
}

/** Books deposits, and does what is due for subscriptions. */
async function tend(this: EscrowHost): Promise<void> {
  await attempt(this, () => this.escrow!.tick());
}

async function reconcile(this: EscrowHost): Promise<void> {
  await attempt(this, async () => {
    const { alert } = await this.escrow!.reconcile();
    if (alert) this.logger.error(`Escrow: ${alert}`);
  });
}

/** An unavailable wallet is expected, not a defect: it is logged once, and once more when it is back. */
async function attempt(host: EscrowHost, act: () => Promise<void>): Promise<void> {
  if (!host.escrow) return;
  try {
    await act();
    if (host.complaint) host.logger.info("Escrow: the wallet answers again.");
    host.complaint = undefined;
  } catch (error) {
    if (!isWalletFault(error)) throw error;
    complain(host, error);
  }
}

function complain(host: EscrowHost, { message }: WalletFault): void {
  if (host.complaint !== message) host.logger.warn(`Escrow: ${message}`);
  host.complaint = message;
}
