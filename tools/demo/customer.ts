/**
 * Speaks to the card provider as its library does in the customer's browser: with client secrets, never with the
 * company's key. Here the provider is the sandbox.
 *
 * @param {string} base
 */
export function createCustomer(base) {
  const post = async (path, fields) => {
    const response = await fetch(`${base}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
    const text = await response.text();
    if (!response.ok) throw new Error(`the provider answered ${response.status} to ${path}: ${text}`);
    return text.startsWith('{') ? JSON.parse(text) : null;
  };
  const intentOf = (secret) => secret.split('_secret_')[0];

  /** Confirms an intent and, where the bank wants to see the customer, says yes on the bank's page. */
  const confirm = async (kind, secret, fields = {}) => {
    const path = `/v1/${kind}/${intentOf(secret)}/confirm`;
    const intent = await post(path, { client_secret: secret, ...fields });
    if (intent.status === 'requires_action') await post(`/authenticate/${intent.id}`, { outcome: 'approve' });
    return { ...intent, authenticated: intent.status === 'requires_action' };
  };

  return {
    /** Saves a card; answers the provider's id of it. */
    async saveCard(secret, card) {
      const { payment_method, authenticated } = await confirm('setup_intents', secret, {
        payment_method: card,
      });
      return { payment_method, authenticated };
    },
    /** Authenticates a payment that the bank did not let through without the customer. */
    authenticate: (secret) => confirm('payment_intents', secret),
  };
}
