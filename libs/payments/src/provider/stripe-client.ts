import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import type { Config, Log, StripeAccount } from '@commerce/platform';
import Stripe from 'stripe';

import { ProviderUnavailable } from './card-provider.js';
import type { ProviderPace } from './provider-pace.js';
import { factsOf, reasonOf } from './stripe-truth.js';

/** The SDK with the key of one account, pointed at STRIPE_API_BASE, and what all calls through it have in common. */
export class StripeClient {
  readonly sdk: Stripe;
  private readonly agent: HttpAgent;
  private readonly deadlineMs: number;

  constructor(
    account: Pick<StripeAccount, 'secretKey'>,
    stripe: Pick<Config['stripe'], 'apiBase' | 'timeoutMs'>,
    private readonly log: Log,
    private readonly pace: ProviderPace,
  ) {
    const base = new URL(stripe.apiBase);
    const secure = base.protocol === 'https:';
    this.agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    this.deadlineMs = stripe.timeoutMs * 1.5;
    this.sdk = new Stripe(account.secretKey, {
      apiVersion: '2026-10-28.endive',
      protocol: secure ? 'https' : 'http',
      host: base.hostname,
      port: base.port === '' ? (secure ? 443 : 80) : base.port,
      timeout: stripe.timeoutMs,
      // When and how to ask again is up to the payment's own schedule.
      maxNetworkRetries: 0,
      telemetry: false,
      httpAgent: this.agent,
    });
  }

  close(): void {
    this.agent.destroy();
  }

  /**
   * Sends a request when its turn has come. The SDK's timeout counts only the gaps between bytes; this one counts the
   * whole call. Throws NotSent, ProviderUnavailable and what the SDK throws.
   */
  async inTime<T>(call: () => Promise<T>): Promise<T> {
    await this.pace.turn();
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
      timer = setTimeout(() => reject(new ProviderUnavailable('timeout')), this.deadlineMs);
    });
    try {
      return await Promise.race([call, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The answer to a question; null when Stripe knows no such thing. Throws ProviderUnavailable without an answer. */
  async asked<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await this.inTime(ask);
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error;
      const refused = error instanceof Stripe.errors.StripeInvalidRequestError;
      if (refused && error.statusCode === 404) return null;
      if (refused || !(error instanceof Stripe.errors.StripeError)) {
        this.log.error(factsOf(error), 'Stripe refused a request');
      }
      throw new ProviderUnavailable(reasonOf(error));
    }
  }
}

/** The object that was asked for. Anything else, such as the page of a gateway in between, is no answer. */
export function real<T extends { object: string; id: string }>(thing: T | null, object: T['object']): T {
  if (thing?.object === object && typeof thing.id === 'string') return thing;
  throw new ProviderUnavailable('the answer is not from the provider');
}
