import { callProvider } from '@commerce/testing';

interface Intent {
  readonly id: string;
  readonly status: string;
  readonly payment_method: string;
}

/** An intent that the customer has confirmed; `authenticated` when the bank required it. */
type ConfirmedIntent = Intent & { readonly authenticated: boolean };

/**
 * Calls the card provider as its library does in the customer's browser: with client secrets, never with the company's
 * key. Here the provider is the sandbox.
 */
export class Customer {
  constructor(private readonly provider: string) {}

  saveCard(secret: string, card: string): Promise<ConfirmedIntent> {
    return this.confirm('setup_intents', secret, { payment_method: card });
  }

  /** Authenticates a payment for which the bank requires it. */
  async authenticate(secret: string): Promise<void> {
    await this.confirm('payment_intents', secret);
  }

  /** Confirms an intent and, when the bank requires authentication, approves it on the bank's page. */
  private async confirm(kind: string, secret: string, fields = {}): Promise<ConfirmedIntent> {
    const [id = ''] = secret.split('_secret_');
    const confirm = { client_secret: secret, ...fields };
    const intent = (await this.post(`/v1/${kind}/${id}/confirm`, confirm)) as Intent;
    const authenticated = intent.status === 'requires_action';
    if (authenticated) await this.post(`/authenticate/${intent.id}`, { outcome: 'approve' });
    return { ...intent, authenticated };
  }

  private async post(path: string, fields: Record<string, string>): Promise<unknown> {
    const { status, text, ...reply } = await callProvider(this.provider, 'POST', path, fields);
    if (status >= 400) throw new Error(`the provider answered ${String(status)} to ${path}: ${text}`);
    return reply.body as unknown;
  }
}
