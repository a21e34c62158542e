import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { callProvider, idIn } from '@commerce/testing';

import {
  CUSTOMER,
  PRICE,
  PRODUCT,
  SUBSCRIPTION,
} from '../../apps/cli/src/stripe-import/stripe-examples.spec-data.js';
import { Scenario } from '../flows/scenario.js';
import { World } from '../world.js';
import { json } from './command-line.js';

/** Commands start slowly on a busy machine. */
const PATIENCE = 240_000;

const EUR = { ...PRICE, currency: 'eur', unit_amount: 1999 };

let world: World;
let scenario: Scenario;
let folder: string;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-16');
  folder = mkdtempSync(join(tmpdir(), 'stripe-import-'));
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

async function stripe(path: string, fields: Record<string, string>): Promise<any> {
  const headers = { authorization: `Bearer ${String(process.env['STRIPE_SECRET_KEY'])}` };
  return (await callProvider(world.sandbox.url, 'POST', path, fields, headers)).body;
}

describe('import:stripe', () => {
  it(
    'carries a discount, a balance and a pause over',
    async () => {
      const buyer = await stripe('/v1/customers', { email: 'spring@example.com', name: 'Spring' });
      const own = await stripe('/v1/payment_methods/pm_card_visa/attach', { customer: buyer.id });
      const coupon = { id: 'SPRING', object: 'coupon', duration: 'repeating', percent_off: 25 };
      const discount = {
        id: 'di_1',
        object: 'discount',
        source: { coupon: 'SPRING', type: 'coupon' },
        start: SUBSCRIPTION.start_date,
        end: Date.UTC(2026, 5, 1) / 1000,
      };
      const from = {
        ...SUBSCRIPTION,
        ...{ id: 'sub_spring', customer: buyer.id, default_payment_method: own.id, discounts: [discount] },
        items: { data: [{ price: EUR, quantity: 2 }] },
        current_period_end: Date.UTC(2026, 3, 30, 10, 30) / 1000,
      };
      const file = join(folder, 'spring.json');
      const credited = { ...CUSTOMER, ...buyer, currency: 'eur', balance: -4000 };
      // Another customer's balance stays at Stripe, with one subscription and therefore with both.
      const keeper = {
        ...CUSTOMER,
        id: 'cus_keeper',
        email: 'keeper@example.com',
        invoice_credit_balance: { eur: 1 },
      };
      const kept = { ...from, id: 'sub_kept', customer: keeper.id, discounts: [] };
      const paused = {
        ...from,
        ...{ id: 'sub_paused', discounts: [], billing_cycle_anchor: Date.UTC(2026, 0, 28, 10, 30) / 1000 },
        current_period_end: Date.UTC(2026, 3, 28, 10, 30) / 1000,
        pause_collection: { behavior: 'void', resumes_at: Date.UTC(2026, 5, 1) / 1000 },
      };
      const objects = [
        ...[credited, keeper, EUR, PRODUCT, coupon, from, paused, kept],
        { ...kept, id: 'sub_invoiced', collection_method: 'send_invoice' },
      ];
      writeFileSync(file, objects.map((one) => JSON.stringify(one)).join('\n'));
      const options = [
        '--company',
        world.company.toHexString(),
        '--file',
        file,
        '--test-clock',
        scenario.clock,
      ];
      const both = 'its customer has a balance at Stripe, and a subscription that stays there';
      const stays = [
        { id: 'sub_kept', why: both, left: true },
        { id: 'sub_invoiced', why: 'it is paid by invoice, not by card', left: true },
        { id: 'sub_invoiced', why: both, left: true },
      ];
      const moved = {
        id: buyer.id,
        why: 'its balance of 40 EUR is credited here: set it to 0 at Stripe',
        left: false,
      };
      for (const more of [['--dry-run'], []]) {
        expect(await json('import:stripe', ...options, ...more)).toMatchObject({
          subscriptions: { imported: 2 },
          problems: [moved, ...stays],
        });
      }
      expect(await json('import:stripe', ...options)).toMatchObject({
        subscriptions: { there: 2 },
        problems: stays,
      });
      const [coupons] = [await world.admin.read('/coupons')];
      expect(coupons).toMatchObject([{ code: 'stripe-SPRING', percent_off: 0.25, used_count: 1 }]);
      const subscriptions = await world.admin.read('/subscriptions');
      const [id, later] = ['sub_spring', 'sub_paused'].map((name) =>
        idIn(subscriptions.find(({ note }: any) => note === `Stripe ${name}`)),
      ) as [string, string];
      await scenario.until('2026-07-15');
      expect(await scenario.bill(id)).toEqual([
        ['2026-04-30T10:30', 0, 'SUCCEEDED'],
        ['2026-05-31T10:30', 19.96, 'SUCCEEDED'],
        ['2026-06-30T10:30', 39.98, 'SUCCEEDED'],
      ]);
      expect(await scenario.bill(later)).toEqual([['2026-06-28T10:30', 39.98, 'SUCCEEDED']]);
      expect(await world.admin.read('/coupons')).toMatchObject([{ used_count: 1 }]);
      const payments = await world.admin.read(`/subscriptions/${id}/payments`);
      const credits = payments.map(({ credit_applied }: any) => credit_applied);
      expect(credits.sort((one: number, other: number) => other - one)).toEqual([29.98, 10.02, 0]);
      expect((await json('doctor')).findings).toEqual([]);
    },
    PATIENCE,
  );

  it(
    'taxes as Stripe did, or leaves at Stripe',
    async () => {
      const address = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
      const seller = { name: 'Teehaus GmbH', address, vat_id: 'DE136695976' };
      const { admin, company } = await world.stranger({
        tax_behavior: 'exclusive',
        timezone: 'Europe/Berlin',
      });
      await admin.changed('/company', { seller, tax: { mode: 'eu', oss: true } });
      const next = Math.floor(Date.now() / 1000) + 864_000;
      const trial = {
        status: 'trialing',
        trial_end: next,
        billing_cycle_anchor: next,
        current_period_end: next,
      };
      const taxed = async (
        id: string,
        ...[rate, country, rest]: [rate: number | null, country: string, rest?: object]
      ): Promise<object[]> => {
        const customer = await stripe('/v1/customers', { name: id });
        const card = await stripe('/v1/payment_methods/pm_card_visa/attach', { customer: customer.id });
        return [
          { ...CUSTOMER, id: customer.id, email: null, address: { ...address, country }, ...rest },
          {
            ...{ ...SUBSCRIPTION, ...trial, id: `sub_${id}`, customer: customer.id },
            items: { data: [{ price: EUR }] },
            default_payment_method: card.id,
            default_tax_rates: rate === null ? [] : [{ percentage: rate, inclusive: false }],
          },
        ];
      };
      const tax_ids = { data: [{ type: 'eu_vat', value: 'FR40303265045' }] };
      const objects = [
        ...[EUR, PRODUCT, ...(await taxed('home', 19, 'DE')), ...(await taxed('abroad', 20, 'FR'))],
        ...(await taxed('business', 20, 'FR', { tax_exempt: 'reverse', tax_ids })),
        ...[...(await taxed('untaxed', null, 'DE')), ...(await taxed('other', 7, 'DE'))],
      ];
      const file = join(folder, 'taxed.json');
      writeFileSync(file, objects.map((one) => JSON.stringify(one)).join('\n'));
      const { problems } = await json('import:stripe', '--company', company.toHexString(), '--file', file);
      expect(problems.filter(({ left }: any) => left)).toEqual([
        { id: 'sub_untaxed', why: 'Stripe adds no tax to its prices, this company 19 %', left: true },
        { id: 'sub_other', why: 'Stripe adds 7 % tax to its prices, this company 19 %', left: true },
      ]);
      const charged: Record<string, number> = {};
      for (const { note, ...one } of await admin.read('/subscriptions')) {
        const { charges } = await admin.read(`/subscriptions/${idIn(one)}/preview`, { count: 1 });
        charged[note] = charges[0].amount;
      }
      expect(charged).toEqual({
        'Stripe sub_home': 23.79,
        'Stripe sub_abroad': 23.99,
        'Stripe sub_business': 19.99,
      });
    },
    PATIENCE,
  );
});
