import ms from 'ms';

/** The settings of the sandbox. */
export interface SandboxConfig {
  readonly host: string;
  readonly port: number;
  /** Folder of the journal. */
  readonly directory: string;
  readonly latencyMs: number;
  readonly settleAfterMs: number;
  readonly merchant: string;
  /** Where signed notices go; absent: nowhere. */
  readonly notices?: {
    readonly url: string;
    readonly secret: string;
    readonly retryDelays: readonly number[];
    /** Types of events that are sent; a star at the end stands for any ending. */
    readonly types: readonly string[];
  };
}

/** The events of money and cards; `*` sends every event. */
const TYPES =
  'payment_intent.succeeded,payment_intent.payment_failed,payment_intent.processing,' +
  'payment_intent.requires_action,payment_intent.canceled,setup_intent.succeeded,setup_intent.setup_failed,' +
  'setup_intent.canceled,charge.refunded,charge.dispute.*,refund.*,payment_method.*,customer.deleted';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks the environment; throws a sentence that names the variable that is wrong. */
// oxlint-disable-next-line no-restricted-properties -- the sandbox's settings come from here
export function readConfig(env: Environment = process.env): SandboxConfig {
  if (env.NODE_ENV === 'production') {
    throw new Error('The sandbox moves no money and checks no key: it does not run with NODE_ENV=production');
  }
  const url = env.SANDBOX_NOTICE_URL || undefined;
  return {
    host: env.SANDBOX_HOST || '127.0.0.1',
    port: whole(env, 'SANDBOX_PORT', 3003, 65_535),
    directory: `${env.DATA_DIR || '.data'}/sandbox`,
    latencyMs: whole(env, 'SANDBOX_LATENCY_MS', 0, 60_000),
    settleAfterMs: whole(env, 'SANDBOX_SETTLE_MS', 3_000, 3_600_000),
    merchant: env.SANDBOX_MERCHANT || 'Sandbox merchant',
    notices: url === undefined ? undefined : notices(env, url),
  };
}

function notices(env: Environment, url: string): SandboxConfig['notices'] {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error(`SANDBOX_NOTICE_URL is not an address: ${url}`);
  }
  const secret = env.STRIPE_WEBHOOK_SECRET;
  if (!secret) throw new Error('SANDBOX_NOTICE_URL needs STRIPE_WEBHOOK_SECRET to sign the notices');
  const delays = list(env.SANDBOX_NOTICE_RETRY_DELAYS || '1s,5s,30s,2m,10m');
  const retryDelays = delays.map((each) => duration('SANDBOX_NOTICE_RETRY_DELAYS', each));
  return { url, secret, retryDelays, types: list(env.SANDBOX_NOTICE_TYPES || TYPES) };
}

const list = (text: string): string[] => text.split(',').map((each) => each.trim());

function duration(name: string, text: string): number {
  if (/^\d+(ms|s|m|h)$/.test(text)) return ms(text as ms.StringValue);
  throw new Error(`${name} has no duration like 30s in: ${text}`);
}

function whole(env: Environment, name: string, otherwise: number, most: number): number {
  const value = Number(env[name] || otherwise);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new Error(`${name} must be an integer from 0 to ${most}, not ${String(env[name])}`);
}
