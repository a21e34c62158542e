import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { idIn, type Client } from '@commerce/testing';

import {
  CUSTOMER,
  PRICE,
  PRODUCT,
  SUBSCRIPTION,
} from '../../apps/cli/src/stripe-import/stripe-examples.spec-data.js';
import { World } from '../world.js';
import { json } from './command-line.js';

/** Commands start slowly on a busy machine. */
const PATIENCE = 240_000;

const ADDRESS = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SELLER = { name: 'Teehaus GmbH', address: ADDRESS, vat_id: 'DE136695976' };
const EUR = { ...PRICE, currency: 'eur', unit_amount: 1999 };
/** The 15th of the month after next: no month lacks that day. */
const MONTH = new Date().getUTCMonth();
const NEXT = Date.UTC(new Date().getUTCFullYear(), MONTH + 2, 15) / 1000;
const ANCHOR = Date.UTC(new Date().getUTCFullYear(), MONTH - 1, 15) / 1000;
const RUNNING = {
  ...SUBSCRIPTION,
  ...{ start_date: ANCHOR, billing_cycle_anchor: ANCHOR, current_period_end: NEXT },
};

let world: World;
let folder: string;

beforeAll(async () => {
  world = await World.start();
  folder = mkdtempSync(join(tmpdir(), 'stripe-taxes-'));
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

/** A subscription, and its customer, whose id is that of the subscription. */
function subscribed(id: string, rest: object, customer: object = {}): object[] {
  return [
    { ...CUSTOMER, id, email: null, address: ADDRESS, ...customer },
    { ...RUNNING, id: `sub_${id}`, customer: id, items: { data: [{ price: EUR, quantity: 3 }] }, ...rest },
  ];
}

const rates = (percentage: number, inclusive: boolean): object => ({
  default_tax_rates: [{ id: 'txr_1', object: 'tax_rate', percentage, inclusive, rate_type: 'percentage' }],
});

async function imported(company: string, objects: readonly object[], ...options: string[]): Promise<any> {
  const file = join(folder, 'export.json');
  writeFileSync(file, [PRODUCT, EUR, ...objects].map((one) => JSON.stringify(one)).join('\n'));
  return json('import:stripe', '--company', company, '--file', file, ...options);
}

/** The amount and the VAT of the next charge of each subscription, by its note. */
async function charges(admin: Client): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { note, ...one } of await admin.read('/subscriptions')) {
    const { charges: ahead } = await admin.read(`/subscriptions/${idIn(one)}/preview`, { count: 1 });
    const [{ amount, breakdown }] = ahead;
    found[note] = [amount, ...breakdown.parts[0].vat.map(({ rate, vat }: any) => [rate, vat])];
  }
  return found;
}

/** The monthly amount of each currency now. */
async function recurring(admin: Client): Promise<Record<string, number>> {
  const { months } = await admin.read('/revenue', { months: 1 });
  return Object.fromEntries(months.map((one: any) => [one.currency, one.recurring]));
}

describe('import:stripe, where rates are set by hand,', () => {
  it(
    'has the tax in the price as Stripe, or asks for it',
    async () => {
      const { admin, company } = await world.stranger();
      await admin.changed('/company', { seller: SELLER });
      const objects = [
        ...subscribed('home', rates(19, true)),
        ...subscribed('reduced', rates(7, true)),
        ...subscribed('none', {}),
        ...subscribed('added', rates(19, false)),
        ...subscribed('automatic', { automatic_tax: { enabled: true } }),
        ...subscribed('flat', { default_tax_rates: [{ percentage: 0, rate_type: 'flat_amount' }] }),
      ];
      const left = [
        ['sub_added', 'Stripe adds 19 % tax to its prices, and those of this company include it'],
        ['sub_automatic', 'Stripe Tax decides its tax, and this company has tax.mode manual'],
        ['sub_flat', 'its tax rate is an amount, not a percentage'],
      ];
      const unsaid = 'Stripe does not say the VAT of its plan: invoices wait until you do';
      for (const options of [['--dry-run'], []]) {
        const { problems } = await imported(company.toHexString(), objects, ...options);
        const stays = problems.filter((one: any) => one.left).map(({ id, why }: any) => [id, why]);
        expect(stays).toEqual(left);
        expect(problems).toContainEqual({ id: 'sub_none', why: unsaid, left: false });
      }
      expect(await charges(admin)).toEqual({
        'Stripe sub_home': [59.97, [0.19, 9.58]],
        'Stripe sub_reduced': [59.97, [0.07, 3.92]],
        'Stripe sub_none': [59.97],
      });
      const plans = await admin.read('/plans', { sort: 'created' });
      expect(plans.map(({ vat, items, warnings }: any) => [vat, items, warnings.length])).toEqual([
        [0.19, [], 0],
        [0.07, [], 0],
        [null, [], 1],
      ]);
    },
    PATIENCE,
  );

  it(
    'adds the tax as Stripe, to the same amount',
    async () => {
      const { admin, company } = await world.stranger({ tax_behavior: 'exclusive' });
      const objects = [
        ...subscribed('added', rates(19, false)),
        ...subscribed('inside', rates(19, true)),
        ...subscribed('exempt', rates(19, false), { tax_exempt: 'exempt' }),
        ...subscribed('none', {}),
      ];
      const { problems } = await imported(company.toHexString(), objects);
      expect(problems.filter(({ left }: any) => left)).toEqual([
        {
          id: 'sub_inside',
          why: 'its prices include 19 % tax at Stripe, and this company adds it',
          left: true,
        },
      ]);
      // Three at 23.79 would be 71.37: Stripe adds 11.39 to 59.97.
      expect(await charges(admin)).toEqual({
        'Stripe sub_added': [71.36, [0.19, 11.39]],
        'Stripe sub_exempt': [59.97, [0, 0]],
        'Stripe sub_none': [59.97, [0, 0]],
      });
    },
    PATIENCE,
  );
});

describe('import:stripe, where tax is decided,', () => {
  it(
    'carries over what Stripe Tax added to the latest invoice, if it is the same',
    async () => {
      const { admin, company } = await world.stranger({
        tax_behavior: 'exclusive',
        timezone: 'Europe/Berlin',
      });
      await admin.changed('/company', { seller: SELLER, tax: { mode: 'eu', oss: true } });
      const invoiced = (amount: number): object => ({
        automatic_tax: { enabled: true },
        latest_invoice: {
          id: 'in_1',
          object: 'invoice',
          total: 5997 + amount,
          total_taxes: [{ amount, taxable_amount: 5997, tax_behavior: 'exclusive' }],
        },
      });
      const objects = [
        ...subscribed('same', invoiced(1139)),
        ...subscribed('other', invoiced(420)),
        ...subscribed('unknown', { automatic_tax: { enabled: true }, latest_invoice: 'in_1' }),
        ...subscribed('disproved', rates(20, false), {
          address: { ...ADDRESS, country: 'FR' },
          tax_ids: {
            data: [{ type: 'eu_vat', value: 'FR40303265045', verification: { status: 'unverified' } }],
          },
        }),
      ];
      const { problems } = await imported(company.toHexString(), objects);
      expect(problems.filter(({ left }: any) => left).map(({ why }: any) => why)).toEqual([
        'Stripe Tax found another tax for its latest invoice than this company: 19 %',
        'Stripe Tax adds a tax that its latest invoice does not show: expand latest_invoice',
      ]);
      expect(problems).toContainEqual({
        id: 'disproved',
        why: 'imported without its VAT id FR40303265045, which Stripe found in no register',
        left: false,
      });
      expect(await charges(admin)).toEqual({
        'Stripe sub_same': [71.36, [0.19, 11.39]],
        'Stripe sub_disproved': [71.96, [0.2, 11.99]],
      });
    },
    PATIENCE,
  );
});

describe('Recurring revenue', () => {
  it(
    'has imported subscriptions before their first charge',
    async () => {
      const { admin, company } = await world.stranger();
      const weekly = { ...EUR, recurring: { interval: 'week', interval_count: 1 } };
      const running = {
        current_period_end: ANCHOR + 20 * 604_800,
        items: { data: [{ price: weekly, quantity: 2 }] },
      };
      await imported(company.toHexString(), subscribed('running', running));
      expect(await admin.read('/subscriptions')).toMatchObject([{ status: 'ACTIVE', payments: [] }]);
      // 52 weeks of 39.98 in 12 months.
      expect(await recurring(admin)).toEqual({ EUR: 173.25 });
    },
    PATIENCE,
  );
});
