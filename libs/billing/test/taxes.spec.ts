import type { TaxBuyer, TaxSeller } from '@commerce/kernel';

import type { Breakdown } from '../src/domain/pricing/breakdown.js';
import { ChangingScenario } from './changing-scenario.js';
import type { ScenarioFixture, ScenarioTax } from './fixture.js';
import { textOf } from './scenario-text.js';

const SELLER: TaxSeller = {
  ...{ country: 'DE', timezone: 'UTC', oss: true, small_business: false },
  rates: [{ country: 'DE', tax_category: 'standard', rate: 0.21, from: '2026-05-01' }],
};
const PLANS = { double: { price: 200 }, half: { price: 50 } };

function taxed(fixture: ScenarioFixture = {}, buyer: TaxBuyer = { country: 'DE', vat_id: null }) {
  const tax: ScenarioTax = { seller: SELLER, buyer };
  return { tax, one: new ChangingScenario({ price: 100, plans: PLANS, tax, ...fixture }) };
}

/** Each charge with its parts and the VAT in each: `2026-04-01 119.00: period 100.00 + 19.00 (S 19 %)`. */
function charges({ payments }: ChangingScenario): string[] {
  return payments.map(({ charge, at }) => {
    const { amount, parts } = charge.breakdown;
    const texts = parts.map((part) => `${part.kind} ${vatText(part)}`);
    return `${textOf(at)} ${amount.toFixed(2)}: ${texts.join('; ')}`;
  });
}

function vatText(part: Breakdown['parts'][number]): string {
  const vat = 'vat' in part ? (part.vat ?? []) : [];
  return vat
    .map(({ rate, net, vat: included, tax }) => {
      return `${net.toFixed(2)} + ${included.toFixed(2)} (${String(tax?.category)} ${String(rate * 100)} %)`;
    })
    .join(', ');
}

/** The money that was given back: `2026-05-05 credit 19.84`. */
function returns({ lines }: ChangingScenario): string[] {
  return lines
    .filter((line) => / (credit|refund) /.test(line))
    .map((line) => line.replace(/ \S+ (?=\S+$)/, ' '));
}

const BUSINESS: TaxBuyer = { country: 'FR', vat_id: 'FR40303265045' };
const CONSUMER: TaxBuyer = { country: 'FR', vat_id: null };

/**
 * Prices of 100.00 a month without VAT; in Germany 19 %, and 21 % from 1 May 2026. The amounts were worked out by hand:
 * 10 of the 30 days from 15 April are 119.00 × 10/30 = 39.67, and 39.67 × 19/119 = 6.33 of them are VAT.
 */
describe('the tax of a change of the plan', () => {
  it('is that of the period in which it happens, for what it replaces and for what follows', () => {
    const { one } = taxed();
    one.start('2026-04-01').runTo('2026-04-01').changePlan('2026-04-16', { plan: 'double' });
    expect(charges(one.runTo('2026-05-01'))).toEqual([
      '2026-04-01 119.00: period 100.00 + 19.00 (S 19 %)',
      '2026-04-16 59.50: period 50.00 + 9.50 (S 19 %); period 100.00 + 19.00 (S 19 %); booked -100.00 + -19.00 (S 19 %)',
      '2026-05-01 242.00: period 200.00 + 42.00 (S 21 %)',
    ]);
  });

  it('stays that of a period that began before the rate changed', () => {
    const { one } = taxed();
    one.start('2026-04-15').runTo('2026-04-15').changePlan('2026-05-05', { plan: 'double' });
    expect(charges(one.runTo('2026-05-15'))).toEqual([
      '2026-04-15 119.00: period 100.00 + 19.00 (S 19 %)',
      '2026-05-05 39.66: period 66.66 + 12.67 (S 19 %); period 66.66 + 12.67 (S 19 %); booked -100.00 + -19.00 (S 19 %)',
      '2026-05-15 242.00: period 200.00 + 42.00 (S 21 %)',
    ]);
  });

  it('is in the credit where the new plan costs less', () => {
    const { one } = taxed();
    one.start('2026-04-15').runTo('2026-04-15').changePlan('2026-05-05', { plan: 'half' });
    expect(charges(one.runTo('2026-05-15'))).toEqual([
      '2026-04-15 119.00: period 100.00 + 19.00 (S 19 %)',
      '2026-05-15 60.50: period 50.00 + 10.50 (S 21 %)',
    ]);
    // 39.67 of the old plan, less 59.50 × 10/30 = 19.83 of the new one.
    expect(returns(one)).toEqual(['2026-05-05 credit 19.84']);
  });

  it.each([
    ['a consumer', CONSUMER, '60.50', ['100.00 + 20.00 (S 20 %)', '240.00: period 200.00 + 40.00 (S 20 %)']],
    ['a business', BUSINESS, '40.50', ['100.00 + 0.00 (AE 0 %)', '200.00: period 200.00 + 0.00 (AE 0 %)']],
  ])('is that of the buyer by then, who has become %s abroad', (_name, buyer, due, [rest, next]) => {
    const { one, tax } = taxed();
    one.start('2026-04-01').runTo('2026-04-01');
    tax.buyer = buyer;
    one.changePlan('2026-04-16', { plan: 'double' });
    expect(charges(one.runTo('2026-05-01'))).toEqual([
      '2026-04-01 119.00: period 100.00 + 19.00 (S 19 %)',
      `2026-04-16 ${due}: period 50.00 + 9.50 (S 19 %); period ${String(rest)}; booked -100.00 + -19.00 (S 19 %)`,
      `2026-05-01 ${String(next)}`,
    ]);
  });
});

describe('the tax of what is charged in arrears', () => {
  const arrears = { plan: { prepay: false } };

  it('is that of the first day of the period, which ends after the rate changed', () => {
    const { one } = taxed(arrears);
    expect(charges(one.start('2026-04-01').runTo('2026-06-01'))).toEqual([
      '2026-05-01 119.00: period 100.00 + 19.00 (S 19 %)',
      '2026-06-01 121.00: period 100.00 + 21.00 (S 21 %)',
    ]);
  });

  it('is that of the period also for a change within it', () => {
    const { one } = taxed(arrears);
    one.start('2026-04-15').changePlan('2026-05-05', { plan: 'double' });
    expect(charges(one.runTo('2026-06-15'))).toEqual([
      '2026-05-15 158.66: period 66.66 + 12.67 (S 19 %); period 66.66 + 12.67 (S 19 %)',
      '2026-06-15 242.00: period 200.00 + 42.00 (S 21 %)',
    ]);
  });

  it('is that of the period also for the days that a stop leaves out', () => {
    const { one } = taxed(arrears);
    one.start('2026-04-15').runTo('2026-04-20').stop('2026-05-05');
    expect(charges(one.runTo('2026-06-15'))).toEqual(['2026-05-15 79.33: period 66.66 + 12.67 (S 19 %)']);
  });

  it('stays that of its own period for what a card refused', () => {
    const { one } = taxed(arrears);
    one.script = ['soft'];
    expect(charges(one.start('2026-04-01').runTo('2026-06-01'))).toEqual([
      '2026-05-01 119.00: period 100.00 + 19.00 (S 19 %)',
      '2026-06-01 240.00: period 100.00 + 21.00 (S 21 %); outstanding 100.00 + 19.00 (S 19 %)',
    ]);
  });
});

describe('the refund of a stop', () => {
  it.each([
    [
      'with the VAT of the period',
      { country: 'DE', vat_id: null },
      '119.00: period 100.00 + 19.00 (S 19 %)',
      '39.67',
    ],
    ['with the VAT of the buyer', CONSUMER, '120.00: period 100.00 + 20.00 (S 20 %)', '40.00'],
    ['without VAT under reverse charge', BUSINESS, '100.00: period 100.00 + 0.00 (AE 0 %)', '33.33'],
  ])('gives back the unused days %s', (_name, buyer, charged, refunded) => {
    const { one } = taxed({}, buyer);
    one.start('2026-04-15').runTo('2026-04-15').stop('2026-05-05').runTo('2026-06-01');
    expect(charges(one)).toEqual([`2026-04-15 ${charged}`]);
    expect(returns(one)).toEqual([`2026-05-15 refund ${refunded}`]);
  });

  it('leaves the setup fee, which was taxed beside the period', () => {
    const { one } = taxed({ plan: { setup_fee: 20 } });
    one.start('2026-04-15').runTo('2026-04-15').stop('2026-05-05').runTo('2026-06-01');
    expect(charges(one)).toEqual([
      '2026-04-15 142.80: setup 20.00 + 3.80 (S 19 %); period 100.00 + 19.00 (S 19 %)',
    ]);
    expect(returns(one)).toEqual(['2026-05-15 refund 39.67']);
  });

  it('is that of the charge, whatever the buyer has become', () => {
    const { one, tax } = taxed();
    one.start('2026-04-15').runTo('2026-04-15');
    tax.buyer = BUSINESS;
    expect(returns(one.stop('2026-05-05').runTo('2026-06-01'))).toEqual(['2026-05-15 refund 39.67']);
  });
});
