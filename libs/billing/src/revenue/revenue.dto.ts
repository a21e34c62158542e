import { Integer, Ref, type Id } from '@commerce/records';

export class RevenueQuery {
  @Integer({
    default: 12,
    min: 1,
    max: 36,
    description: 'how many calendar months; the current one, up to now, is the last',
  })
  months: number;

  @Ref('test clock', {
    optional: true,
    description: 'the customers on this test clock, up to its time; without it, those in real time',
  })
  test_clock: Id | null;
}

export class DebtsQuery {
  @Ref('test clock', {
    optional: true,
    description: 'the customers on this test clock, by its time; without it, those in real time',
  })
  test_clock: Id | null;
}
