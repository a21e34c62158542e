import { RevenueQuery, RevenueReader } from '@commerce/billing';
import { renderObject } from '@commerce/records';
import { Command } from 'nest-commander';

import type { Outcome } from '../../admin-command.js';
import { grid } from '../../output/grid.js';
import { ServiceContext } from '../../service-context.js';
import { amountText } from '../../show/timeline-lines.js';
import { ByMonthCommand, type ByMonthOptions } from './by-month.command.js';

@Command({
  name: 'revenue',
  description: 'adds up the recurring revenue of a company and its changes, by month and currency',
})
export class RevenueCommand extends ByMonthCommand {
  constructor(protected readonly service: ServiceContext) {
    super();
  }

  async perform(options: ByMonthOptions): Promise<Outcome> {
    const { company, query } = await this.asked(RevenueQuery, options);
    const reader = await this.service.get(RevenueReader);
    // No connection waits for the result, so it may take its time.
    const revenue = await reader.revenue({ company }, query, new AbortController().signal);
    const heads = ['recurring', 'added', 'resumed', 'expanded', 'contracted', 'lost'] as const;
    const rows = revenue.months.map((month) => [
      month.month,
      ...heads.map((head) => amountText(month[head], month.currency)),
      month.subscriptions,
    ]);
    const columns = [...heads, 'subscriptions'].map((head) => ({ head, align: 'right' as const }));
    const left = revenue.not_included;
    return {
      json: renderObject(revenue),
      lines: [
        ...grid([`month (${revenue.timezone})`, ...columns], rows),
        ...(left === 0 ? [] : ['', `Not included, as their price cannot be computed: ${String(left)}`]),
      ],
    };
  }
}
