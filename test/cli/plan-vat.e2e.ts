import { eventually, idIn } from '@commerce/testing';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { cli } from './command-line.js';

const ADDRESS = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SELLER = { name: 'Teehaus GmbH', address: ADDRESS, vat_id: 'DE136695976' };
const PLAN = { name: 'Box', interval_unit: 'MONTH', currency: 'EUR', total_amount: 119, prepay: true };
const UNSAID = { path: 'vat', kind: 'plan.vat_unsaid', message: expect.stringContaining('0 included') };

let world: World;
let buyer: Buyer;
beforeAll(async () => {
  world = await World.start();
  await world.admin.changed('/company', { seller: SELLER });
  buyer = await new Shop(world).buyer();
});
afterAll(() => world.stop());

const made = (values: object = {}): Promise<any> => world.admin.made('/plans', { ...PLAN, ...values });

async function subscribed(plan: any, values: object = {}): Promise<string> {
  const body = { plan: idIn(plan), payment_method: buyer.card, start_now: true, ...values };
  return idIn(await buyer.client.made('/subscriptions', body));
}

/** The first payments of a subscription, once they have succeeded, the oldest first. */
async function paid(subscription: string, count = 1): Promise<any[]> {
  return eventually(
    () => world.admin.read(`/subscriptions/${subscription}/payments`, { sort: 'created' }),
    (all: any[]) => all.length >= count && all.every(({ status }) => status === 'SUCCEEDED'),
    30_000,
  );
}

async function invoiceOf(payment: any): Promise<any> {
  const [invoice] = await eventually(
    () => world.admin.read('/invoices', { payment: idIn(payment) }),
    (all: any[]) => all.length > 0,
    30_000,
  );
  return invoice;
}

async function findings(): Promise<string[]> {
  const { stdout } = await cli(['doctor', '--company', world.company.toHexString(), '--json']);
  // The service in this process may log meanwhile.
  const found = JSON.parse(stdout.replaceAll(/^\{"level".*\n/gm, '')).findings;
  return found.map(({ kind, id }: any) => `${String(kind)} ${String(id)}`);
}

/** Waits until the invoice of a payment is known to wait. */
async function waits(payment: any): Promise<string> {
  const rows = await eventually(
    async () => (await world.admin.read('/operations')).waiting_invoices,
    (all: any[]) => all.some((one) => idIn({ _id: one.payment }) === idIn(payment)),
    30_000,
  );
  return rows.find((one: any) => idIn({ _id: one.payment }) === idIn(payment)).error;
}

describe('The VAT of a plan without items', () => {
  it('that nobody has said makes its invoices wait, which POST /plans, doctor and the work say, until it is said', async () => {
    const plan = await made();
    expect([plan.vat, plan.tax_category, plan.warnings]).toEqual([null, 'standard', [UNSAID]]);
    const subscription = await subscribed(plan);
    const [payment] = await paid(subscription);
    expect(await waits(payment)).toBe(
      `nobody has said the VAT of the plan Box (${plan.human_id}): update it with vat, 0 included`,
    );
    expect(await findings()).toEqual(
      expect.arrayContaining([`plan.vat_unsaid ${idIn(plan)}`, `invoice.not_made ${idIn(payment)}`]),
    );
    // A change to a plan whose VAT is known says nothing about the payment before.
    await buyer.client.made(`/subscriptions/${subscription}/change`, {
      plan: idIn(await made({ name: 'Reduced', total_amount: 238, vat: 0.07 })),
    });
    const [, change] = await paid(subscription, 2);
    await world.admin.changed(`/plans/${idIn(plan)}`, { vat: 0.19 });
    expect(await invoiceOf(payment)).toMatchObject({ gross: 119, net: 100, tax: 19 });
    expect((await invoiceOf(change)).gross).toBe(change.amount);
    expect(await findings()).toEqual([]);
    expect((await world.admin.read(`/plans/${idIn(plan)}`)).warnings).toEqual([]);
  });

  it('may be said as 0', async () => {
    const plan = await made({ name: 'Free of VAT' });
    const [payment] = await paid(await subscribed(plan));
    await waits(payment);
    // Also of a plan that nobody can subscribe to any more.
    await world.admin.delete(`/plans/${idIn(plan)}`);
    const said = await world.admin.changed(`/plans/${idIn(plan)}`, { vat: 0 });
    expect([said.vat, said.warnings]).toEqual([0, []]);
    expect(await invoiceOf(payment)).toMatchObject({ gross: 119, net: 119, tax: 0 });
  });

  it('is in the price, as that of a product is, and stands in the breakdown', async () => {
    const plan = await made({ vat: 0.19 });
    expect(plan.warnings).toEqual([]);
    const [payment] = await paid(await subscribed(plan));
    expect(payment.amount).toBe(119);
    expect(payment.breakdown.parts[0].vat).toEqual([{ rate: 0.19, net: 100, vat: 19, gross: 119 }]);
    expect(await invoiceOf(payment)).toMatchObject({ gross: 119, net: 100, tax: 19 });
  });

  it('changes, and what was charged before keeps its own', async () => {
    const plan = await made({ name: 'Was reduced', vat: 0.07 });
    const [payment] = await paid(await subscribed(plan));
    await world.admin.changed(`/plans/${idIn(plan)}`, { vat: 0.19 });
    expect(await invoiceOf(payment)).toMatchObject({ gross: 119, net: 111.21, tax: 7.79 });
  });

  it('does not count beside items, which have theirs', async () => {
    const product = idIn(
      await world.admin.made('/products', {
        name: 'Tea',
        price: 1,
        currency: 'EUR',
        active: true,
        vat: 0.07,
      }),
    );
    const plan = await made({ items: [{ product }], vat: 0.19, tax_category: 'exempt' });
    expect([plan.vat, plan.tax_category]).toEqual([null, null]);
    expect(plan.warnings.map(({ path, kind }: any) => [path, kind])).toEqual([
      ['vat', 'plan.tax_of_items'],
      ['tax_category', 'plan.tax_of_items'],
    ]);
    const [payment] = await paid(await subscribed(plan));
    expect(await invoiceOf(payment)).toMatchObject({ gross: 119, net: 111.21, tax: 7.79 });
    const again = await world.admin.changed(`/plans/${idIn(plan)}`, { vat: 0.19 });
    expect([again.vat, again.warnings.length]).toEqual([null, 1]);
    expect((await world.admin.read(`/plans/${idIn(plan)}`)).warnings).toEqual([]);
  });

  it.each([-0.01, 1.01, '19'])('is a fraction: %j', async (vat) => {
    for (const { status, body } of [
      await world.admin.post('/plans', { ...PLAN, vat }),
      await world.admin.put(`/plans/${idIn(await made({ vat: 0 }))}`, { vat }),
    ]) {
      expect([status, body.errors[0].path]).toEqual([422, 'vat']);
    }
  });

  it('need not be said where no VAT is due', async () => {
    const { admin } = await world.stranger();
    expect((await admin.made('/plans', PLAN)).warnings).toEqual([]);
    await admin.changed('/company', { seller: { ...SELLER, vat_id: null } });
    expect((await admin.made('/plans', PLAN)).warnings).toEqual([]);
    expect((await admin.read('/plans')).flatMap(({ warnings }: any) => warnings)).toEqual([]);
  });

  it('is added to the price where the company adds VAT', async () => {
    const { admin } = await world.stranger({ tax_behavior: 'exclusive' });
    const plan = idIn(await admin.made('/plans', { ...PLAN, total_amount: 100, vat: 0.19 }));
    const user = idIn(await admin.made('/users', { name: 'Ada' }));
    const [first] = await admin.made('/subscriptions/preview', { plan, user });
    expect([first.amount, first.breakdown.parts[0].vat[0].net]).toEqual([119, 100]);
    await admin.changed(`/plans/${plan}`, { vat: 0.07 });
    const preview = async (): Promise<number> =>
      (await admin.made('/subscriptions/preview', { plan, user }))[0].amount;
    // Processes remember plans for five seconds.
    expect(await eventually(preview, (amount: number) => amount !== 119, 10_000)).toBe(107);
  });
});

describe('The tax category of a plan without items', () => {
  it('decides its rate by the rules of the EU', async () => {
    const { admin } = await world.stranger();
    const rates = [{ country: 'DE', tax_category: 'reduced', rate: 0.07, from: '2021-01-01' }];
    await admin.changed('/company', { seller: SELLER, tax: { mode: 'eu', rates } });
    const user = idIn(await admin.made('/users', { name: 'Ada' }));
    const rateOf = async (values: object): Promise<number> => {
      const plan = idIn(await admin.made('/plans', { ...PLAN, ...values }));
      const [first] = await admin.made('/subscriptions/preview', { plan, user });
      return first.breakdown.parts[0].vat[0].rate;
    };
    expect(await rateOf({ vat: 0.5 })).toBe(0.19);
    expect(await rateOf({ tax_category: 'reduced' })).toBe(0.07);
    expect(await rateOf({ tax_category: 'exempt' })).toBe(0);
    const { status, body } = await admin.post('/plans', { ...PLAN, tax_category: 'books' });
    expect([status, body.errors[0].code, body.errors[0].path]).toEqual([
      422,
      'tax.rate_missing',
      'tax_category',
    ]);
  });
});
