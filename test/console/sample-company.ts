import { eventually, idIn, type Client } from '@commerce/testing';

const MONTH = 30.44 * 86_400_000;

/** The ids of the sample's records, by their purpose. */
export interface SampleCompany {
  readonly clock: string;
  readonly plans: Readonly<Record<'team' | 'studio' | 'box' | 'seats', string>>;
  /** On the test clock: paid for months, failing and retried, waiting for the bank, paused, stopped with a refund. */
  readonly subscriptions: Readonly<
    Record<'paying' | 'failing' | 'authenticating' | 'paused' | 'stopped', string>
  >;
  /** In real time. */
  readonly customer: string;
  readonly now: number;
}

/** Creates a company with months of business, for the console's tests and pictures. */
export async function fillCompany(admin: Client, now: number): Promise<SampleCompany> {
  const made = async (path: string, body: object): Promise<string> => idIn(await admin.made(path, body));
  const plans = await makePlans(made);
  const start = now - 6 * MONTH;
  const clock = await made('/test_clocks', { name: 'Half a year', frozen_time: start });
  const customer = async (name: string, card: string, values: object = {}): Promise<Buyer> => {
    const user = await made('/users', {
      name,
      email: `${name.split(' ')[0]!.toLowerCase()}@example.com`,
      ...values,
    });
    return { user, payment_method: await cardOf(admin, user, card) };
  };
  const onClock = (name: string, card = 'visa'): Promise<Buyer> =>
    customer(name, card, { test_clock: clock });
  const subscribed = (plan: string, by: Buyer, values: object = {}): Promise<string> =>
    made('/subscriptions', { plan, ...by, start_now: true, ...values });
  const advance = (to: number): Promise<void> => advanceClock(admin, clock, to);

  const grace = await onClock('Grace Hopper');
  const annie = await onClock('Annie Easley');
  const subscriptions = {
    paying: await subscribed(plans.team, await onClock('Ada Lovelace'), { note: 'Annual review in May' }),
    failing: await subscribed(plans.studio, grace),
    authenticating: await subscribed(plans.team, annie),
    paused: await subscribed(plans.box, await onClock('Mary Jackson')),
    stopped: await subscribed(plans.studio, await onClock('Edsger Dijkstra')),
  };
  await advance(start + 2.2 * MONTH);
  await admin.post(`/subscriptions/${subscriptions.paused}/pause`, {});
  await advance(start + 3.5 * MONTH);
  await admin.post(`/subscriptions/${subscriptions.paused}/start`, {});
  await changeCard(admin, subscriptions.failing, grace.user, 'chargeDeclinedInsufficientFunds');
  await advance(start + 4.6 * MONTH);
  await admin.post(`/subscriptions/${subscriptions.stopped}/stop`, {});
  const good = await cardOf(admin, grace.user, 'visa');
  await admin.put(`/subscriptions/${subscriptions.failing}`, { payment_method: good });
  await changeCard(admin, subscriptions.authenticating, annie.user, 'authenticationRequired');
  await advance(start + 5.4 * MONTH);
  await changeCard(admin, subscriptions.failing, grace.user, 'chargeDeclined');
  await advance(now - 86_400_000);
  await refundOne(admin, subscriptions.paying);

  const people = ['Katherine Johnson', 'Alan Turing', 'Barbara Liskov', 'Dorothy Vaughan', 'Radia Perlman'];
  const cards = ['visa', 'mastercard', 'visa', 'chargeDeclined', 'visa'];
  const order = [plans.team, plans.studio, plans.box, plans.team, plans.seats];
  let first = '';
  for (const [index, name] of people.entries()) {
    const by = await customer(name, cards[index]!);
    if (first === '') first = by.user;
    await subscribed(order[index]!, by, index === 4 ? {} : { starting_date: now - (index + 1) * 86_400_000 });
  }
  return { clock, plans, subscriptions, customer: first, now };
}

interface Buyer {
  readonly user: string;
  readonly payment_method: string;
}

type Make = (path: string, body: object) => Promise<string>;

async function makePlans(made: Make): Promise<SampleCompany['plans']> {
  const beans = await made('/products', {
    name: 'Coffee beans, 1 kg',
    price: 19.9,
    currency: 'EUR',
    vat: 0.07,
    active: true,
  });
  const seat = await made('/products', { name: 'Seat', price: 12, currency: 'EUR', vat: 0.19, active: true });
  await made('/products', { name: 'Grinder', price: 149, currency: 'EUR', vat: 0.19, active: true });
  await made('/coupons', { name: 'Spring', code: 'SPRING', percent_off: 0.2 });
  const monthly = { interval_unit: 'MONTH', currency: 'EUR', vat: 0.19, prepay: true };
  const retried = { should_retry_payments: true, max_payment_retries: 3, retry_payment_in_minutes: 4320 };
  return {
    team: await made('/plans', { ...monthly, name: 'Team', total_amount: 49, setup_fee: 20 }),
    studio: await made('/plans', { ...monthly, ...retried, name: 'Studio', total_amount: 129 }),
    box: await made('/plans', {
      ...monthly,
      vat: null,
      name: 'Coffee box',
      items: [{ product: beans, quantity: 2 }],
    }),
    seats: await made('/plans', {
      ...{ ...monthly, vat: null },
      name: 'Five seats',
      items: [{ product: seat, quantity: 5, discount: 0.1 }],
      trial_days: 14,
    }),
  };
}

async function cardOf(admin: Client, user: string, card: string): Promise<string> {
  const id = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
  const { status, body } = await admin.put(`/payment_methods/${id}`, {
    payment_method_id: `pm_card_${card}`,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return id;
}

async function changeCard(admin: Client, subscription: string, user: string, card: string): Promise<void> {
  const payment_method = await cardOf(admin, user, card);
  await admin.put(`/subscriptions/${subscription}`, { payment_method });
}

async function advanceClock(admin: Client, clock: string, to: number): Promise<void> {
  await admin.made(`/test_clocks/${clock}/advance`, { frozen_time: Math.round(to) });
  await eventually(
    () => admin.read(`/test_clocks/${clock}`),
    ({ status }: { status: string }) => status === 'ready',
    60_000,
  );
}

/** Refunds a part of the second payment, as goodwill. */
async function refundOne(admin: Client, subscription: string): Promise<void> {
  const payments = await admin.read(`/subscriptions/${subscription}/payments`, { size: 10, sort: 'created' });
  await admin.made(`/payments/${idIn(payments[2])}/refunds`, { amount: 9, reason: 'goodwill' });
}
