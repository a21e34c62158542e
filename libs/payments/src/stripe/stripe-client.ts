import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import type { Config, Log, StripeAccount } from '@commerce/platform';
import Stripe from 'stripe';

import { MISSING, ProviderRefused, ProviderUnavailable } from '../provider/card-provider.js';
import type { ProviderPace } from '../pace/provider-pace.js';
import { factsOf, reasonOf } from './stripe-truth.js';

/** The SDK with the key of one account, pointed at STRIPE_API_BASE, and its connections. */
interface Connection {
  readonly sdk: Stripe;
  readonly agent: HttpAgent;
  readonly deadlineMs: number;
}

/** The common behaviour of all calls to one account: turns, deadlines, and the errors of missing answers. */
export class StripeClient {
  private constructor(
    private readonly connection: Connection,
    private readonly log: Log,
    private readonly pace: ProviderPace,
    private readonly company = '',
  ) {}

  static open(
    account: Pick<StripeAccount, 'secretKey'>,
    stripe: Pick<Config['stripe'], 'apiBase' | 'timeoutMs'>,
    log: Log,
    pace: ProviderPace,
  ): StripeClient {
    return new StripeClient(connect(account, stripe), log, pace);
  }

  /** The same client for the requests of one company. */
  forCompany(company: string): StripeClient {
    return new StripeClient(this.connection, this.log, this.pace, company);
  }

  get sdk(): Stripe {
    return this.connection.sdk;
  }

  /**
   * Runs work whose first request has its turn reserved.
   * @throws NotSent, with nothing begun, where no turn is available soon
   */
  begin<T>(work: () => Promise<T>): Promise<T> {
    return this.pace.begin(this.company, work);
  }

  close(): void {
    this.connection.agent.destroy();
  }

  /**
   * Sends a request when its turn has come. The SDK's timeout counts only the gaps between bytes; this one counts the
   * whole call.
   * @throws NotSent, ProviderUnavailable and the SDK's errors
   */
  async inTime<T>(call: () => Promise<T>): Promise<T> {
    await this.pace.turn(this.company);
    try {
      const answer = await this.withDeadline(call());
      this.pace.accepted();
      return answer;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeRateLimitError) await this.pace.refused();
      throw error;
    }
  }

  private async withDeadline<T>(call: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ProviderUnavailable('timeout')), this.connection.deadlineMs);
    });
    try {
      return await Promise.race([call, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The answer to a read; null when the account has no such object.
   * @throws as `answered`
   */
  async asked<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await this.answered(ask);
    } catch (error) {
      if (error instanceof ProviderRefused && error.code === MISSING) return null;
      throw error;
    }
  }

  /** @throws ProviderRefused for a permanent refusal; ProviderUnavailable without an answer */
  async answered<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.inTime(call);
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error;
      const refusal = refusalOf(error);
      const isOurs = refusal !== null && refusal.code !== MISSING;
      if (isOurs || !(error instanceof Stripe.errors.StripeError))
        this.log.error(factsOf(error), 'Stripe refused a request');
      throw refusal ?? new ProviderUnavailable(reasonOf(error));
    }
  }
}

/** The permanent refusal in an error; null in any other, after which the same request may succeed. */
function refusalOf(error: unknown): ProviderRefused | null {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return null;
  const code = error.code ?? (error.statusCode === 404 ? MISSING : 'provider.request_refused');
  return new ProviderRefused(code, reasonOf(error), error.param ?? null);
}

function connect(
  { secretKey }: Pick<StripeAccount, 'secretKey'>,
  { apiBase, timeoutMs }: Pick<Config['stripe'], 'apiBase' | 'timeoutMs'>,
): Connection {
  const base = new URL(apiBase);
  const secure = base.protocol === 'https:';
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const sdk = new Stripe(secretKey, {
    apiVersion: '2026-10-28.endive',
    protocol: secure ? 'https' : 'http',
    host: base.hostname,
    port: base.port === '' ? (secure ? 443 : 80) : base.port,
    timeout: timeoutMs,
    // The payment's own schedule decides on further requests.
    maxNetworkRetries: 0,
    telemetry: false,
    httpAgent: agent,
  });
  return { sdk, agent, deadlineMs: timeoutMs * 1.5 };
}

/** The requested object. Anything else, such as the page of a gateway in between, counts as no answer. */
export function real<T extends { object: string; id: string }>(thing: T | null, object: T['object']): T {
  if (thing?.object === object && typeof thing.id === 'string') return thing;
  throw new ProviderUnavailable('the answer is not from the provider');
}
