import { Integer, Ref, type Id } from '@commerce/records';

export class ForecastQuery {
  @Integer({
    default: 12,
    min: 1,
    max: 36,
    description: 'how many calendar months; what is left of the current one is the first',
  })
  months: number;

  @Ref('test clock', {
    optional: true,
    description: 'the customers on this test clock, from its time on; without it, those in real time',
  })
  test_clock: Id | null;
}
