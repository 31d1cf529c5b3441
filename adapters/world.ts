import { join } from "node:path";
import type { Env } from "../config/env.ts";
import { VERSION } from "../config/version.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { isAway, isDiskFull } from "../core/problem.ts";
import { heedingHolds } from "../core/work/hold.ts";
import type { Documents } from "../core/records/documents.ts";
import type { SearchIndex } from "../core/records/reading/search.ts";
import { StartRefused } from "../core/start-refused.ts";
import type { World } from "../core/world.ts";
import { JobRecords } from "../core/work/job-records.ts";
import type { OutageLog } from "../core/work/outage-log.ts";
import { Leases } from "../core/work/schedule.ts";
import { chainAt } from "./chain/chain.ts";
import { channelsOf } from "./channels/index.ts";
import type { ChannelSettings } from "./channels/port.ts";
import { openBlobs } from "./blobs/index.ts";
import { openReadings } from "./readings/index.ts";
import { openSearch } from "./search/index.ts";
import { Configurations, type ActiveConfiguration } from "./configurations.ts";
import { networkDiscovery } from "./discovery/network.ts";
import { configurable } from "./llm/configurable.ts";
import { documentsLedger } from "./llm/budget/ledger.ts";
import { modelSettings } from "./llm/settings.ts";
import type { ConfigurableLlm, LlmSettings } from "./llm/port.ts";
import { mailer } from "./mail.ts";
import { identityProvider } from "./oidc.ts";
import { openLimiter } from "./rate-limit/index.ts";
import { openDocuments } from "./documents/index.ts";
import { examineStore } from "./documents/sqlite/query/soundness.ts";
import { feedParser, type FeedParser } from "./feeds/worker-pool.ts";
import { makeFolder } from "./folder.ts";
import { FolderInUse, hasFolder, lockFolder } from "./folder-lock.ts";
import { outbound, type Outbound } from "./outbound/outbound.ts";
import { rootSecretOf, type RootSecret } from "./root-secret.ts";
import { textReader } from "./texts/index.ts";
import { walletOf } from "./wallet/settings.ts";
import type { ReadAddress, Wallet } from "./wallet/wallet.ts";

declare module "../core/world.ts" {
  interface World {
    outbound: Outbound;
    feedParser: FeedParser;
  }
}

declare module "../core/world.ts" {
  /** The escrow's wallet; absent unless all five of its settings are given. Throws on an invalid one, naming it. */
  interface World {
    wallet(readAddress: ReadAddress): Wallet | undefined;
  }
}

declare module "../core/world.ts" {
  interface World {
    llm: ConfigurableLlm;
    /** A model with other settings, to test them before they are in force. */
    modelUnder(standing: ActiveConfiguration<"llm">): LlmSettings;
    /** From here on the log is told when the model's endpoint fails, and when it works again. */
    tellOfModel(log: OutageLog): void;
    search: SearchIndex;
  }
}

/** A value that is opened on first use. */
function slot<T, A extends unknown[] = []>(
  open: (...given: A) => T,
): { get: (...given: A) => T; opened: () => T | undefined } {
  let value: T | undefined;
  return { get: (...given) => (value ??= open(...given)), opened: () => value };
}

/** Publishers can see in their logs who reads them, and where to ask. */
const userAgent = ({ PUBLIC_URL }: Env): string => `Signalmesh/${VERSION}${PUBLIC_URL ? ` (+${PUBLIC_URL})` : ""}`;

const channelSettings = (env: Env): ChannelSettings => ({
  emailTo: env.BRIEFING_EMAIL_TO,
  slackWebhookUrl: env.SLACK_WEBHOOK_URL,
  webhookUrls: env.DELIVERY_WEBHOOKS,
  ...(env.TELEGRAM_BOT_TOKEN &&
    env.TELEGRAM_CHAT_ID && {
      telegram: { botToken: env.TELEGRAM_BOT_TOKEN, chatId: env.TELEGRAM_CHAT_ID, baseUrl: env.TELEGRAM_BASE_URL },
    }),
});

interface Opening {
  clock?: Clock;
  guest?: boolean;
}

interface Store {
  documents: Documents;
  root: RootSecret;
  release(): void;
}

/** Locks the folder for this process. A guest continues without the lock where a node has it. */
function lockUnlessGuest(dataDir: string, guest: boolean): (() => void) | undefined {
  try {
    return lockFolder(dataDir);
  } catch (error) {
    if (guest && error instanceof FolderInUse) return undefined;
    throw error;
  }
}

/** Work that the process before was at goes on at once, instead of when its leases end. */
async function lapseAll(documents: Documents, clock: Clock): Promise<void> {
  await new JobRecords(documents, clock, "", 0).lapse();
  await new Leases(documents, clock, "").lapse();
}

/** Opens the documents, readable and writable, with their root secret. A guest leaves the folder to a node. */
async function openStore(env: Env, guest: boolean, clock: Clock): Promise<Store> {
  const isOnDisk = !env.MONGO_URL && env.DATA_DIR !== ":memory:";
  if (isOnDisk) makeFolder(env.DATA_DIR);
  const isShared = isOnDisk && hasFolder(env.DATA_DIR);
  const release = isOnDisk ? lockUnlessGuest(env.DATA_DIR, guest) : undefined;
  let documents: Documents | undefined;
  try {
    const begun = isOnDisk && examineStore(join(env.DATA_DIR, "signalmesh.db"));
    documents = heedingHolds(openDocuments({ mongoUrl: env.MONGO_URL, dataDir: env.DATA_DIR }));
    const root = await rootSecretOf({ env, documents, begun }).catch((error: unknown) => {
      // A guest that calls others in the mesh needs no store: operators need it most when the store is away.
      if (guest && env.TRANSPORTER && env.SECRET && isAway(error))
        return { secret: Buffer.from(env.SECRET, "hex"), missing: [] };
      throw error;
    });
    // A ping writes.
    if (!guest) await documents.ping();
    // The lock proves that whoever held a lease before is gone; a node in this process would have it as well.
    if (!guest && isOnDisk && !isShared) await lapseAll(documents, clock);
    if (guest) release?.();
    return { documents, root, release: () => release?.() };
  } catch (error) {
    await documents?.close();
    release?.();
    throw error;
  }
}

/** For a node that will search: the embedded index is built from the store, and can be rebuilt. Throws StartRefused. */
export async function examineIndex(search: SearchIndex, dataDir: string): Promise<void> {
  if (search.kind !== "embedded") return;
  try {
    await search.count();
  } catch (error) {
    // Rebuilding would need the room that is missing.
    if (isDiskFull(error)) throw error;
    const { message } = error as Error;
    throw new StartRefused(
      `The search index in ${dataDir} cannot be used: ${message}. Move search*.db away: ` +
        "the next start makes it anew of the store.",
      { cause: error },
    );
  }
}

/**
 * Everything outside the process, by the settings: embedded where no server is named. `guest`: works beside a node on
 * its folder. @throws StartRefused where no node could work on the stores
 */
export async function openWorld(env: Env, opening: Opening = {}): Promise<World> {
  const { clock = systemClock, guest = false } = opening;
  const { documents, root, release } = await openStore(env, guest, clock);
  const { secret } = root;
  const client = slot(() => outbound({ allowPrivate: env.ALLOW_PRIVATE_FEEDS === "on", userAgent: userAgent(env) }));
  const parser = slot(() => feedParser());
  const mail = slot(() => mailer({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM }));
  const provider = slot(() =>
    env.OIDC_ISSUER
      ? identityProvider({
          issuer: env.OIDC_ISSUER,
          clientId: env.OIDC_CLIENT_ID!,
          clientSecret: env.OIDC_CLIENT_SECRET!,
        })
      : undefined,
  );
  const channels = slot(() => channelsOf(channelSettings(env), client.get(), { mailer: mail.get() }));
  const limiter = slot(() =>
    openLimiter({
      redisUrl: env.TRANSPORTER?.startsWith("redis") ? env.TRANSPORTER : undefined,
      clock,
      namespace: env.NAMESPACE,
    }),
  );
  const formerSecrets = env.SECRET_PREVIOUS.map((hex) => Buffer.from(hex.replace("!", ""), "hex"));
  const configurations = new Configurations(documents, env, { secret, formerSecrets });
  const modelUnder = (standing: ActiveConfiguration<"llm">): LlmSettings => {
    const { baseUrl } = standing.stored;
    const isGuarded = baseUrl !== undefined && !configurations.isEnvironments("llm", "baseUrl", baseUrl);
    return modelSettings(standing, isGuarded, () => client.get());
  };
  let modelLog: OutageLog | undefined;
  const watch = { failed: (why: string) => modelLog?.failed(why), worked: () => modelLog?.worked() };
  const model = slot(() =>
    configurable(modelUnder(configurations.of("llm")), { clock, ledger: documentsLedger(documents), watch }),
  );
  configurations.follow((name) => {
    if (name === "llm") model.opened()?.use(modelUnder(configurations.of("llm")));
  });
  const search = slot(() =>
    openSearch({ elasticsearchUrl: env.ELASTICSEARCH_URL, dataDir: env.DATA_DIR, namespace: env.NAMESPACE }),
  );
  const blobs = slot(() => openBlobs({ mongoUrl: env.MONGO_URL, dataDir: env.DATA_DIR }));
  const readings = slot(() => openReadings(documents));
  const texts = slot(() => textReader());
  const discovery = slot(() => networkDiscovery());
  const shielded = slot((readAddress: ReadAddress) => walletOf(env, readAddress));
  const chain = slot(() =>
    env.CHAIN_RPC_URL ? chainAt({ url: env.CHAIN_RPC_URL, chainId: env.CHAIN_ID }) : undefined,
  );
  return {
    env,
    clock,
    secret,
    documents,
    formerSecrets,
    missingSecrets: root.missing,
    configurations,
    modelUnder,
    tellOfModel: (log) => void (modelLog = log),
    trustedSecrets: env.SECRET_PREVIOUS.filter((hex) => !hex.startsWith("!")).map((hex) => Buffer.from(hex, "hex")),
    get outbound() {
      return client.get();
    },
    get feedParser() {
      return parser.get();
    },
    get mail() {
      return mail.get();
    },
    get oidc() {
      return provider.get();
    },
    get channels() {
      return channels.get();
    },
    get llm() {
      return model.get();
    },
    get search() {
      return search.get();
    },
    get blobs() {
      return blobs.get();
    },
    get readings() {
      return readings.get();
    },
    get texts() {
      return texts.get();
    },
    get discovery() {
      return discovery.get();
    },
    get chain() {
      return chain.get();
    },
    get limiter() {
      return limiter.get();
    },
    wallet: (readAddress) => shielded.get(readAddress),
    async close() {
      await Promise.all([
        shielded.opened()?.close(),
        limiter.opened()?.close(),
        search.opened()?.close(),
        blobs.opened()?.close(),
        texts.opened()?.close(),
        client.opened()?.close(),
        parser.opened()?.close(),
      ]);
      await documents.close();
      release();
    },
  };
}
