import { ForecastQuery, ForecastReader } from '@commerce/billing';
import { Companies } from '@commerce/identity';
import { parseQuery, renderObject } from '@commerce/records';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { grid } from '../../output/grid.js';
import { ServiceContext } from '../../service-context.js';
import { amountText } from '../../show/timeline-lines.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly months?: string;
  readonly testClock?: string;
}

@Command({
  name: 'forecast',
  description: 'adds up what all live subscriptions of a company will be charged, by month and currency',
})
export class ForecastCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform({ company, months, testClock: test_clock }: Options): Promise<Outcome> {
    const { _id } = await (await this.service.get(Companies)).get(idOption(company, 'company'));
    const given = Object.entries({ months, test_clock }).filter(([, value]) => value !== undefined);
    const query = parseQuery(ForecastQuery, Object.fromEntries(given));
    const reader = await this.service.get(ForecastReader);
    // No connection waits for the result, so the forecast may take its time.
    const forecast = await reader.forecast({ company: _id }, query, new AbortController().signal);
    const { amounts, subscriptions, not_included, timezone } = forecast;
    const right = { align: 'right' } as const;
    const withCredit = amounts.some(({ credit_applied }) => credit_applied > 0);
    const rows = amounts.map(({ month, amount, credit_applied, currency, charges }) => [
      month,
      amountText(amount, currency),
      ...(withCredit ? [amountText(credit_applied, currency)] : []),
      charges,
    ]);
    const left =
      not_included === 0
        ? ''
        : `; ${String(not_included)} are not included: they are held, or their price cannot be computed`;
    return {
      json: renderObject(forecast),
      lines: [
        ...grid(
          [
            `month (${timezone})`,
            { head: 'amount', ...right },
            ...(withCredit ? [{ head: 'from balances', ...right }] : []),
            { head: 'charges', ...right },
          ],
          rows,
        ),
        '',
        `Live subscriptions: ${String(subscriptions)}${left}`,
      ],
    };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--months <count>', description: 'how many months, at most 36; default: 12' })
  readMonths(value: string): string {
    return value;
  }

  @Option({ flags: '--test-clock <id>', description: 'the customers on this test clock, from its time on' })
  readTestClock(value: string): string {
    return value;
  }
}
