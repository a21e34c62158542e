/** One account with the card provider. */
export interface StripeAccount {
  readonly secretKey: string;
  /** Signs the provider's webhooks; null where they cannot be verified. */
  readonly webhookSecret: string | null;
  /** The key that starts the provider's library in a browser; null where customers cannot pay on our page. */
  readonly publishableKey: string | null;
  /** Requests that all processes together send to it in a second; 0: no limit. */
  readonly ratePerSecond: number;
}

/** How Redis is reached. */
export interface RedisSettings {
  readonly mode: 'single' | 'sentinel' | 'cluster';
  /** Of the node, of Sentinels, or of nodes of the cluster; they differ in host and port only. */
  readonly addresses: readonly string[];
  /** The name of the set that the Sentinels watch; null in the other modes. */
  readonly sentinelMaster: string | null;
}

/** The settings of a process, read once at its start. */
export interface Config {
  readonly environment: 'development' | 'test' | 'production';
  readonly port: number;
  /** Where customers reach the API, without a slash at the end; the links that are sent to them begin with it. */
  readonly publicUrl: string;
  readonly apiManagementPort: number;
  readonly workerManagementPort: number;
  readonly managementHost: string;
  readonly mongodbUri: string;
  readonly redis: RedisSettings;
  readonly dataDir: string;
  readonly stripe: {
    /** The account that charges the customers of live companies; null where there is none. */
    readonly live: StripeAccount | null;
    /** The same for test companies. */
    readonly test: StripeAccount | null;
    readonly apiBase: string;
    /** Where browsers load the provider's library from. */
    readonly libraryUrl: string;
    readonly timeoutMs: number;
    /** Whether this process asks the provider for callers, who wait, or in the background; each has half of the rate. */
    readonly share: 'requests' | 'background';
  };
  /** Where VIES is asked about VAT ids, without a slash at the end; null: it is not asked. */
  readonly viesUrl: string | null;
  /** Keys that seal secrets at rest, 32 bytes each; the first seals, all open. Empty: a key file. */
  readonly secretKeys: readonly Uint8Array[];
  readonly webhooks: {
    readonly allowPrivate: boolean;
    /** Waits after the first, second… failed attempt, in milliseconds; one more attempt than waits is made. */
    readonly retryDelaysMs: readonly number[];
    /** A webhook is switched off when this many deliveries in a row were given up; 0 never. */
    readonly disableAfterDeliveries: number;
    /** … and its failures go back at least this far. */
    readonly disableAfterMs: number;
  };
  /** The proxies whose word on a caller's address is taken: how many there are, or their networks. */
  readonly trustedProxies: number | readonly string[];
  /** Whether the queue board may change jobs, not only show them. */
  readonly queuesWritable: boolean;
  readonly limits: {
    readonly perSecond: number;
    readonly burst: number;
    /** The same for each end customer, and for each address of callers without a service account. */
    readonly user: { readonly perSecond: number; readonly burst: number };
    readonly address: { readonly perSecond: number; readonly burst: number };
    /** How often one customer may save a card, or do what charges one. */
    readonly cardAttemptsPerHour: number;
    /** How often one customer may name a coupon that cannot be used. */
    readonly couponGuessesPerHour: number;
    /** Replies that a company may have kept under idempotency keys in a day; 0: no limit. */
    readonly keptReplyKib: number;
    /** Requests with an Idempotency-Key of a company in a day; 0: no limit. */
    readonly idempotencyKeysPerDay: number;
    readonly authFailuresPerMinute: number;
    /** Calls of an endpoint that a company may ask for in a minute; 0 switches a limit off. */
    readonly verifiesPerWebhook: number;
    readonly verifiesPerCompany: number;
    /** The same for one host, across all companies. */
    readonly verifiesPerHost: number;
    readonly simulatesPerWebhook: number;
    /** Webhooks that a company may have, deleted ones left out; 0: no limit. */
    readonly webhooksPerCompany: number;
    /** Keys that work at a time, up to which a company can make more by the API; 0: no limit. */
    readonly keysPerCompany: number;
    /** How long a request may take, from its headers to the last byte of its reply; 0: no limit. */
    readonly requestMs: number;
    /** The same for replies that are written record by record, which may be long. */
    readonly streamMs: number;
  };
  readonly images: {
    /** The quota of the images of one company, in bytes; 0: no limit. */
    readonly quotaBytes: number;
    /** Uploads that one process reads at a time, and those of one company among them. */
    readonly uploads: number;
    readonly uploadsPerCompany: number;
  };
  /** How many days what is settled is kept; 0 for ever. */
  readonly retention: {
    readonly eventDays: number;
    readonly deliveryDays: number;
  };
  readonly sweepIntervalMs: number;
  /** Subscriptions that one worker bills at the same time, mostly waiting for the card provider. */
  readonly chargesAtOnce: number;
  /** How long the payment of an order waits for its customer to authenticate; 0: without end. */
  readonly orderAuthenticationMs: number;
  /** How long a walk over all records of a company may take. */
  readonly checkupMs: number;
  /** How long a lease lasts; longer than any call made meanwhile. */
  readonly leaseMs: number;
  readonly logLevel: string;
  /** A service logs to its output; a command keeps that for its result. */
  readonly logTo: 'stdout' | 'stderr';
  /** How long one operation or transaction of the database may take, with waiting for a server and a connection. */
  readonly databaseTimeoutMs: number;
  /** How the database is asked; null: as its server says that it is. */
  readonly databaseEngine: 'mongodb' | 'embedded' | null;
  /** How often a start tries to reach the database, a second apart, before it gives up. */
  readonly databaseAttempts: number;
}

/** Injects the settings. */
export const CONFIG = Symbol('config');
