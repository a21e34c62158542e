import { ForecastQuery, ForecastReader } from '@commerce/billing';
import { renderObject } from '@commerce/records';
import { Command } from 'nest-commander';

import type { Outcome } from '../../admin-command.js';
import { grid } from '../../output/grid.js';
import { ServiceContext } from '../../service-context.js';
import { amountText } from '../../show/timeline-lines.js';
import { ByMonthCommand, type ByMonthOptions } from './by-month.command.js';

@Command({
  name: 'forecast',
  description: 'adds up what all live subscriptions of a company will be charged, by month and currency',
})
export class ForecastCommand extends ByMonthCommand {
  constructor(protected readonly service: ServiceContext) {
    super();
  }

  async perform(options: ByMonthOptions): Promise<Outcome> {
    const { company, query } = await this.asked(ForecastQuery, options);
    const reader = await this.service.get(ForecastReader);
    // No connection waits for the result, so the forecast may take its time.
    const forecast = await reader.forecast({ company }, query, new AbortController().signal);
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
}
