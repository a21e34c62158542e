/** How the service is set up; read once at start from the environment. */
export interface Config {
  readonly environment: 'development' | 'test' | 'production';
  readonly port: number;
  /** Where customers reach the API, without a slash at the end; the links that are sent to them begin with it. */
  readonly publicUrl: string;
  readonly apiManagementPort: number;
  readonly workerManagementPort: number;
  readonly managementHost: string;
  readonly mongodbUri: string;
  readonly redisUrl: string;
  readonly dataDir: string;
  readonly stripe: {
    readonly secretKey: string;
    readonly apiBase: string;
    readonly webhookSecret: string | null;
    /** What the provider's library in a browser is started with; null where customers cannot pay on our page. */
    readonly publishableKey: string | null;
    /** The address of that library. */
    readonly libraryUrl: string;
    readonly timeoutMs: number;
  };
  readonly webhooks: {
    readonly allowPrivate: boolean;
    /** Waits after the first, second… failed attempt, in milliseconds; one more attempt than waits is made. */
    readonly retryDelaysMs: readonly number[];
    /** Keys that seal the secrets of webhooks at rest, 32 bytes each; the first seals, all open. Empty: a key file. */
    readonly secretKeys: readonly Uint8Array[];
    /** A webhook is switched off when this many deliveries in a row were given up; 0 never. */
    readonly disableAfterDeliveries: number;
    /** … and its failures go back at least this far. */
    readonly disableAfterMs: number;
  };
  readonly limits: {
    readonly perSecond: number;
    readonly burst: number;
    readonly authFailuresPerMinute: number;
    /** Calls of an endpoint that a company may ask for, per minute; 0 switches a limit off. */
    readonly verifiesPerWebhook: number;
    readonly verifiesPerCompany: number;
    readonly simulatesPerWebhook: number;
  };
  readonly sweepIntervalMs: number;
  /** How long a claimed piece of work stays its claimer's; longer than any call made meanwhile. */
  readonly leaseMs: number;
  readonly logLevel: string;
  /** Where the log goes: a service writes it to its output, a command keeps that for its result. */
  readonly logTo: 'stdout' | 'stderr';
  /** How often a start tries to reach the database, a second apart, before it gives up. */
  readonly databaseAttempts: number;
}

export const CONFIG = Symbol('config');

type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown at start with one line for each setting that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const STRIPE_API = 'https://api.stripe.com';
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads the settings.
 * @throws ConfigError naming every variable that is missing or wrong
 */
export function readConfig(env: Environment): Config {
  const problems: string[] = [];
  const read = new Reader(env, problems);
  const environment = read.choice('NODE_ENV', ['development', 'test', 'production'], 'development');
  const production = environment === 'production';
  const stripeKey = env['STRIPE_SECRET_KEY'];
  if (stripeKey === undefined || stripeKey === '') {
    problems.push(
      production
        ? 'STRIPE_SECRET_KEY is not set: production needs the secret key of your Stripe account'
        : 'STRIPE_SECRET_KEY is not set: start the service by `npm start`, which runs the sandbox provider, or set it',
    );
  }
  const port = read.integer('PORT', 3000, 0, 65535);
  const stripeApi = read.url('STRIPE_API_BASE', ['http:', 'https:'], STRIPE_API);
  const config: Config = {
    environment,
    port,
    publicUrl: read
      .url('PUBLIC_URL', ['http:', 'https:'], `http://127.0.0.1:${String(port)}`)
      .replace(/\/+$/, ''),
    apiManagementPort: read.integer('API_MANAGEMENT_PORT', 3001, 0, 65535),
    workerManagementPort: read.integer('WORKER_MANAGEMENT_PORT', 3002, 0, 65535),
    managementHost: read.text('MANAGEMENT_HOST', '127.0.0.1'),
    mongodbUri: read.url('MONGODB_URI', ['mongodb:', 'mongodb+srv:']),
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    dataDir: read.text('DATA_DIR', '.data'),
    stripe: {
      secretKey: stripeKey ?? '',
      apiBase: stripeApi,
      webhookSecret: env['STRIPE_WEBHOOK_SECRET'] ?? null,
      publishableKey: publishableKey(env, stripeApi),
      libraryUrl: read.url('STRIPE_LIBRARY_URL', ['http:', 'https:'], libraryOf(stripeApi)),
      timeoutMs: read.integer('STRIPE_TIMEOUT_MS', 10_000, 100, 60_000),
    },
    webhooks: {
      allowPrivate: read.flag('WEBHOOK_ALLOW_PRIVATE', false),
      retryDelaysMs: read.durations('WEBHOOK_RETRY_DELAYS', '30s,10m,2h,22h'),
      secretKeys: read.keys('WEBHOOK_SECRET_KEY'),
      disableAfterDeliveries: read.integer('WEBHOOK_DISABLE_AFTER_DELIVERIES', 20, 0, 1_000_000),
      disableAfterMs: read.durations('WEBHOOK_DISABLE_AFTER', '120h')[0] ?? 0,
    },
    limits: {
      perSecond: read.integer('RATE_LIMIT_PER_SECOND', 100, 0, 1_000_000),
      burst: read.integer('RATE_LIMIT_BURST', 200, 0, 1_000_000),
      authFailuresPerMinute: read.integer('AUTH_FAILURES_PER_MINUTE', 20, 0, 1_000_000),
      verifiesPerWebhook: read.integer('VERIFIES_PER_MINUTE', 6, 0, 1_000_000),
      verifiesPerCompany: read.integer('VERIFIES_PER_MINUTE_AND_COMPANY', 30, 0, 1_000_000),
      simulatesPerWebhook: read.integer('SIMULATES_PER_MINUTE', 60, 0, 1_000_000),
    },
    sweepIntervalMs: read.integer('SWEEP_INTERVAL_MS', 1000, 10, 3_600_000),
    leaseMs: read.integer('LEASE_MS', 25_000, 500, 3_600_000),
    logLevel: read.choice('LOG_LEVEL', LEVELS, 'info'),
    logTo: 'stdout',
    databaseAttempts: 30,
  };
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

/** In the sandbox each secret key has a publishable one of the same ending; a real account has its own. */
function publishableKey(env: Environment, stripeApi: string): string | null {
  const given = env['STRIPE_PUBLISHABLE_KEY'] ?? '';
  if (given !== '') return given;
  const secret = env['STRIPE_SECRET_KEY'] ?? '';
  return stripeApi === STRIPE_API || secret === '' ? null : secret.replace(/^(sk|rk)_/, 'pk_');
}

function libraryOf(stripeApi: string): string {
  return stripeApi === STRIPE_API ? 'https://js.stripe.com/v3/' : `${stripeApi}/v3/`;
}

/** The settings of an admin command, which somebody waits for: it says little, and at once when a server is away. */
export function readCommandConfig(env: Environment): Config {
  return {
    ...readConfig({ ...env, LOG_LEVEL: env['LOG_LEVEL'] ?? 'error' }),
    logTo: 'stderr',
    databaseAttempts: 1,
  };
}

class Reader {
  constructor(
    private readonly env: Environment,
    private readonly problems: string[],
  ) {}

  text(name: string, otherwise: string): string {
    const value = this.env[name];
    return value === undefined || value === '' ? otherwise : value;
  }

  integer(name: string, otherwise: number, min: number, max: number): number {
    const text = this.text(name, String(otherwise));
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.problems.push(`${name} must be a whole number from ${String(min)} to ${String(max)}, not "${text}"`);
    return otherwise;
  }

  flag(name: string, otherwise: boolean): boolean {
    const text = this.text(name, String(otherwise)).toLowerCase();
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    this.problems.push(`${name} must be true or false, not "${text}"`);
    return otherwise;
  }

  choice<T extends string>(name: string, values: readonly T[], otherwise: T): T {
    const text = this.text(name, otherwise);
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    this.problems.push(`${name} must be one of ${values.join(', ')}, not "${text}"`);
    return otherwise;
  }

  url(name: string, protocols: readonly string[], otherwise?: string): string {
    const text = this.text(name, otherwise ?? '');
    if (text === '') {
      this.problems.push(
        `${name} is not set: \`npm start\` finds or starts what it names, or set it to a ${protocols[0] ?? ''}// address`,
      );
      return '';
    }
    // A connection string may list several hosts, which no URL parser reads.
    if (protocols.some((protocol) => text.startsWith(`${protocol}//`))) return text;
    this.problems.push(
      `${name} must start with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
    return text;
  }

  /** Keys of 32 bytes as 64 hexadecimal digits each, separated by commas; none when it is not set. */
  keys(name: string): Uint8Array[] {
    const text = this.text(name, '');
    if (text === '') return [];
    return text.split(',').map((part) => {
      if (!/^[0-9a-f]{64}$/i.test(part.trim()))
        this.problems.push(`${name} must be 64 hexadecimal digits, or several such keys separated by commas`);
      return Buffer.from(part.trim(), 'hex');
    });
  }

  durations(name: string, otherwise: string): number[] {
    const text = this.text(name, otherwise);
    return text.split(',').map((part) => {
      const match = /^(\d+)(ms|s|m|h|d)$/.exec(part.trim());
      const unit = UNITS[match?.[2] ?? ''];
      if (match && unit !== undefined) return Number(match[1]) * unit;
      this.problems.push(`${name} must list durations such as 30s,10m,2h,22h, not "${part}"`);
      return 0;
    });
  }
}
