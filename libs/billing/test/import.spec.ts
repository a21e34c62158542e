import type { ImportFacts } from '../src/domain/actions/import.js';
import { ImportedScenario } from './imported-scenario.js';

const at = (date: string): Date => new Date(`${date}T00:00:00Z`);
const facts: ImportFacts = {
  starting_date: at('2023-10-31'),
  anchor: at('2023-10-31'),
  timezone: 'UTC',
  trial_ending_date: null,
  next_date: at('2024-02-29'),
  ending_date: null,
};
const bill = (scenario: ImportedScenario): [string, number][] =>
  scenario.payments.map(({ at: date, charge }) => [date.toISOString().slice(0, 10), charge.breakdown.amount]);

describe('a subscription that ran elsewhere', () => {
  it('is charged from its next date on, counted from its old anchor', () => {
    const scenario = new ImportedScenario().takeOver('2024-02-10', facts);
    expect(scenario.it).toMatchObject({
      status: 'ACTIVE',
      active: true,
      starting_date: at('2023-10-31'),
      current_billing_date_period_start: at('2024-01-31'),
      current_billing_date_period_end: at('2024-02-29'),
      next_billing_date: at('2024-02-29'),
      collection_state: 'OK',
    });
    scenario.runTo(at('2024-04-30'));
    expect(bill(scenario)).toEqual([
      ['2024-02-29', 30],
      ['2024-03-31', 30],
      ['2024-04-30', 30],
    ]);
  });

  it('ends a trial that began elsewhere', () => {
    const anchor = at('2024-02-20');
    const trial = {
      ...facts,
      starting_date: at('2024-02-01'),
      anchor,
      trial_ending_date: anchor,
      next_date: anchor,
    };
    const scenario = new ImportedScenario().takeOver('2024-02-10', trial);
    expect(scenario.it).toMatchObject({ in_trial: true, next_billing_date: anchor });
    scenario.runTo(at('2024-03-20'));
    expect(bill(scenario)).toEqual([
      ['2024-02-20', 30],
      ['2024-03-20', 30],
    ]);
  });

  it('is charged on a day that its first month lacked', () => {
    // It began on 30 November, and its periods begin on the 31st.
    const later = { ...facts, starting_date: at('2023-11-30') };
    const scenario = new ImportedScenario().takeOver('2024-02-10', later);
    expect(scenario.it).toMatchObject({
      starting_date: at('2023-11-30'),
      next_billing_date: at('2024-02-29'),
    });
    scenario.runTo(at('2024-04-01'));
    expect(bill(scenario)).toEqual([
      ['2024-02-29', 30],
      ['2024-03-31', 30],
    ]);
  });

  it('ends on its original date, without another charge', () => {
    const scenario = new ImportedScenario().takeOver('2024-02-10', {
      ...facts,
      ending_date: facts.next_date,
    });
    scenario.runTo(at('2024-04-30'));
    expect([scenario.it.status, bill(scenario)]).toEqual(['COMPLETED', []]);
  });

  it('refunds nothing that was collected elsewhere', () => {
    const scenario = new ImportedScenario().takeOver('2024-02-10', facts).stop('2024-02-14');
    expect(scenario.it).toMatchObject({ status: 'NON_RENEWING' });
    expect(scenario.it.prorate_amount).toBeLessThan(0);
    scenario.runTo(at('2024-04-30'));
    expect([scenario.it.active, bill(scenario)]).toEqual([false, []]);
    expect(scenario.it.outstanding_amount).toBe(0);
  });

  it.each<[string, Partial<ImportFacts>]>([
    ['no period begins then', { next_date: at('2024-02-28') }],
    ['its next date has passed', { next_date: at('2024-01-31') }],
  ])('is refused where %s', (_case, values) => {
    expect(() => new ImportedScenario().takeOver('2024-02-10', { ...facts, ...values })).toThrow('next_date');
  });

  it('is refused where its plan is charged in arrears', () => {
    expect(() => new ImportedScenario({ plan: { prepay: false } }).takeOver('2024-02-10', facts)).toThrow(
      'plan',
    );
  });
});
