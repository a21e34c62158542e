/** The card provider's reply; `body` is undefined where it is not JSON. */
export interface ProviderReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: any;
}

/** Calls the card provider without its library: form fields in, JSON or the bank's page out. */
export async function callProvider(
  url: string,
  method: string,
  path: string,
  fields: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<ProviderReply> {
  const form = new URLSearchParams(fields).toString();
  const inBody = method === 'POST';
  const response = await fetch(`${url}${path}${!inBody && form !== '' ? `?${form}` : ''}`, {
    method,
    headers: {
      ...headers,
      ...(inBody ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    body: inBody ? form : undefined,
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** A charge as the provider lists it; amounts in minor units. */
export interface ProviderCharge {
  readonly id: string;
  readonly amount: number;
  readonly amount_refunded: number;
  readonly status: string;
  readonly captured: boolean;
  readonly payment_intent: string;
  /** Seconds since 1970. */
  readonly created: number;
}

interface ChargeList {
  readonly data: readonly ProviderCharge[];
  readonly has_more: boolean;
}

/** The charges that an account of the provider has really made, by the provider's own list. */
export async function providerCharges(url: string, secretKey: string): Promise<ProviderCharge[]> {
  const all: ProviderCharge[] = [];
  for (let page: ChargeList | null = null; page?.has_more !== false;) {
    const after = all.at(-1)?.id;
    const query = { limit: '100', ...(after === undefined ? {} : { starting_after: after }) };
    const headers = { authorization: `Bearer ${secretKey}` };
    const reply = await callProvider(url, 'GET', '/v1/charges', query, headers);
    if (reply.status !== 200) throw new Error(`the provider answered ${String(reply.status)}: ${reply.text}`);
    page = reply.body as ChargeList;
    all.push(...page.data);
  }
  return all.filter(({ status, captured }) => status === 'succeeded' && captured);
}
