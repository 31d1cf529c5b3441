import { z } from "zod";
import { data, list } from "../../../../core/contract/answer.ts";
import type { Doc } from "../../../../core/records/documents.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { CursorMeta, MOST_ROWS, paging } from "../../../../core/records/entity.ts";
import { invalid } from "../../../../core/problem.ts";
import { nextId } from "../../../../core/contract/repeatable.ts";
import { Deposit } from "../ledger/deposits.ts";
import type { EarmarkedAccount } from "../ledger/ledger.ts";
import { Payout } from "./payouts.ts";
import { NO_WALLET, WALLET_ERRORS, withEscrow, auditWritten, type EscrowHost } from "../host.ts";
import { DepositView, LedgerEntry, PayoutView, ReconciliationView } from "../views.ts";

const cursor = z.string().max(500).optional().describe("`meta.next` of the previous page.");
const why = z.string().trim().min(1).max(1_000).describe("For whoever looks into it later.");
const Subject = z
  .string()
  .regex(/^(?:bounty|subscription):[\w-]{1,64}$/, "must be `bounty:<id>` or `subscription:<id>`");
const Account = z
  .string()
  .regex(/^(?:transparent|pool|payee|fees|creator|(?:bounty|subscription):[\w-]{1,64})$/, "there is no such account");
const Signed = z
  .string()
  .regex(/^-?[1-9][0-9]{0,14}$/, "must be a whole number of zatoshi written as text, not zero; negative takes away");

/** A decision is either a transaction, or the statement that nothing was sent. */
function decisionOf({ txid, notSent }: { txid?: string; notSent?: true }): { txid: string } | { notSent: true } {
  if ((txid === undefined) === (notSent === undefined))
    throw invalid([{ path: "txid", message: "Give either `txid`, the transaction that paid it, or `notSent: true`." }]);
  return txid === undefined ? { notSent: true } : { txid };
}

const toEntry = ({ _id: id, ...rest }: Doc): z.input<typeof LedgerEntry> =>
  ({ id, ...rest }) as unknown as z.input<typeof LedgerEntry>;

/** The administrators' endpoints: payouts, deposits, the ledger and its comparison with the wallet. */
export const moneyActions = {
  "payouts.list": endpoint({
    rest: "GET /payouts",
    summary: "List transfers out of the wallet, newest first",
    permit: "escrow:administer",
    beyond: true,
    query: {
      state: Payout.query.state,
      kind: Payout.query.kind,
      subject: Payout.query.subject,
      cursor,
      limit: paging.limit,
    },
    returns: list(PayoutView, CursorMeta),
    handler(ctx) {
      const { cursor: from, limit, ...filters } = ctx.params;
      const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
      return this.store(Payout).feed(ctx, { cursor: from, limit }, query);
    },
  }),

  "payouts.get": endpoint({
    rest: "GET /payouts/:id",
    summary: "Read the state of a payout",
    permit: "escrow:administer",
    beyond: true,
    on: Payout,
    returns: data(PayoutView),
    handler: (_ctx, payout) => payout,
  }),

  "payouts.resolve": endpoint({
    rest: "POST /payouts/:id/resolve",
    summary: "Decide a payout that waits for a person",
    permit: "escrow:administer",
    beyond: true,
    on: Payout,
    returns: data(PayoutView),
    body: {
      txid: z
        .string()
        .regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits")
        .optional(),
      notSent: z.literal(true).optional(),
      why,
    },
    errors: {
      ...WALLET_ERRORS,
      409: "It is not in `manual_review`, or the wallet shows otherwise.",
      422: "The transaction does not pay it (`TRANSACTION_MISMATCH`), or it could still be mined (`TOO_EARLY`).",
    },
    description:
      "Either `txid` names the transaction that paid it, or `notSent` says that nothing was sent. The " +
      "wallet is queried first, and its evidence takes precedence.",
    example: { notSent: true, why: "The wallet refused it for good." },
    handler(ctx, { id }) {
      const decision = decisionOf(ctx.params);
      return withEscrow(this, ctx, (escrow) => escrow.resolve(id, decision, ctx.meta.actor!.userId, ctx.params.why));
    },
  }),

  "deposits.list": endpoint({
    rest: "GET /deposits",
    summary: "List deposits at the transparent address, newest first",
    permit: "escrow:administer",
    beyond: true,
    query: { subject: Deposit.query.subject, cursor, limit: paging.limit },
    returns: list(DepositView, CursorMeta),
    handler(ctx) {
      const { cursor: from, limit, subject } = ctx.params;
      return this.store(Deposit).feed(ctx, { cursor: from, limit }, subject ? { subject } : {});
    },
  }),

  "deposits.attribute": endpoint({
    rest: "POST /deposits/:id/attribute",
    summary: "Assign a deposit that matches no expected amount",
    permit: "escrow:administer",
    beyond: true,
    path: { id: z.string().regex(/^[0-9a-f]{64}:\d{1,6}$/, "Must be `<txid>:<output>`.") },
    body: { subject: Subject, why },
    returns: data(DepositView),
    errors: {
      409: "The deposit or the subject is already assigned.",
      422: "It is too little (`INSUFFICIENT_DEPOSIT`) or mined (`COINBASE`).",
      ...NO_WALLET,
      404: "There is no such deposit, bounty or subscription.",
    },
    example: { subject: "bounty:12", why: "The sender named it in a letter." },
    handler(ctx) {
      const { id, subject, why: reason } = ctx.params;
      return withEscrow(this, ctx, async (escrow) =>
        auditWritten(
          ctx,
          Deposit.name,
          await escrow.attribute(id, subject as EarmarkedAccount, ctx.meta.actor!.userId, reason),
        ),
      );
    },
  }),

  "ledgerEntries.list": endpoint({
    rest: "GET /ledger",
    summary: "List entries of the escrow's ledger, newest first",
    permit: "escrow:administer",
    beyond: true,
    query: {
      account: Account.optional(),
      cursor: z
        .string()
        .regex(/^[1-9]\d{0,14}$/, "must be `meta.next` of the page before")
        .optional()
        .describe("`meta.next` of the previous page."),
      limit: paging.limit,
    },
    returns: list(LedgerEntry, CursorMeta),
    description:
      "Double entry, append-only, numbered without gaps and chained by hash. `account` is `transparent`, " +
      "`pool`, `payee`, `fees`, `creator`, `bounty:<id>` or `subscription:<id>`.",
    async handler(ctx) {
      const { account, cursor: from, limit } = ctx.params;
      const most = Math.min(limit, MOST_ROWS);
      const query = { ...(account && { accounts: account }), ...(from && { seq: { $lt: Number(from) } }) };
      const docs = await (this as EscrowHost).shelves.ledger.find({ query, sort: ["-seq"], limit: most + 1 });
      const rows = docs.slice(0, most).map(toEntry);
      return { data: rows, meta: { limit: most, next: docs.length > most ? String(rows.at(-1)!.seq) : null } };
    },
  }),

  "ledgerEntries.adjust": endpoint({
    rest: "POST /ledger/adjustments",
    summary: "Record a wallet transaction made outside the escrow",
    permit: "escrow:administer",
    beyond: true,
    status: 201,
    body: { account: z.enum(["transparent", "pool"]), amount: Signed, why },
    returns: data(z.object({ id: z.string() })),
    errors: NO_WALLET,
    description:
      "The signed amount is added to the account, so that the ledger matches the wallet again. Entries " +
      "are never changed or removed.",
    example: { account: "pool", amount: "250000", why: "Topped up by hand for fees." },
    handler(ctx) {
      const { account, amount, why: reason } = ctx.params;
      return withEscrow(this, ctx, async (escrow) => {
        const id = nextId(ctx, "adjustments");
        await escrow.adjust(id, account, amount, ctx.meta.actor!.userId, reason);
        return auditWritten(ctx, "adjustments", { id });
      });
    },
  }),

  reconcile: endpoint({
    rest: "POST /reconcile",
    summary: "Compare the ledger with the wallet now",
    permit: "escrow:administer",
    beyond: true,
    returns: data(ReconciliationView),
    errors: WALLET_ERRORS,
    description: "The escrow does this automatically every hour, and logs an alert if a difference is unexplained.",
    handler(ctx) {
      return withEscrow(this, ctx, (escrow) => escrow.reconcile());
    },
  }),
};
