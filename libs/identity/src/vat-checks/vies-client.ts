import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@commerce/platform';

/** The answer of VIES about a VAT id. */
export type ViesAnswer =
  | { readonly kind: 'valid'; readonly reference: string }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** A VAT id as VIES names it: the letters, and what is behind them. */
export interface ViesNumber {
  readonly countryCode: string;
  readonly vatNumber: string;
}

const TIMEOUT_MS = 10_000;
const MAX_REPLY = 64 * 1024;
/** As long as a reference may be. */
const MAX_REFERENCE = 128;

/** Asks VIES, the register of VAT ids of the EU, by its REST interface. */
@Injectable()
export class ViesClient {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Whether an address of VIES is configured. */
  get isConfigured(): boolean {
    return this.config.viesUrl !== null;
  }

  /**
   * Whether the register has this id now. The reference of the answer needs the VAT id of the seller, who asks.
   * An answer that is missing or unclear is `unavailable`.
   */
  async check(number: ViesNumber, seller: ViesNumber | null): Promise<ViesAnswer> {
    const requester =
      seller === null
        ? {}
        : { requesterMemberStateCode: seller.countryCode, requesterNumber: seller.vatNumber };
    try {
      const reply = await fetch(`${this.config.viesUrl ?? ''}/check-vat-number`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ ...number, ...requester }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await reply.text();
      if (!reply.ok || text.length > MAX_REPLY) return unavailable(`status ${String(reply.status)}`);
      return answerOf(JSON.parse(text) as ViesReply);
    } catch (error) {
      return unavailable(error instanceof Error ? error.message : 'no answer');
    }
  }
}

/** The fields of a reply that are read. */
interface ViesReply {
  readonly valid?: unknown;
  readonly requestIdentifier?: unknown;
  readonly requestDate?: unknown;
}

function answerOf({ valid, requestIdentifier, requestDate }: ViesReply): ViesAnswer {
  if (valid === false) return { kind: 'invalid' };
  // A member state that cannot be asked has an error in place of `valid`.
  if (valid !== true) return unavailable('the member state was not asked');
  const names = [requestIdentifier, requestDate].filter((one) => typeof one === 'string');
  const name = names.find((one) => one !== '') ?? '';
  return { kind: 'valid', reference: `VIES ${name}`.trim().slice(0, MAX_REFERENCE) };
}

function unavailable(reason: string): ViesAnswer {
  return { kind: 'unavailable', reason };
}
