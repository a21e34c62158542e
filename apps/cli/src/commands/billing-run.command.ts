import { BillingProcessor } from '@commerce/billing';
import { SystemClock } from '@commerce/platform';
import { Command } from 'nest-commander';

import { AdminCommand, type CommonOptions, type Outcome } from '../admin-command.js';
import { Service } from '../service.js';

@Command({
  name: 'billing:run',
  description: 'bills at once all that is due, as the workers do all the time',
})
export class BillingRunCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly service: Service) {
    super();
  }

  async perform(): Promise<Outcome> {
    const cycle = await this.service.get(BillingProcessor);
    const report = await cycle.runDue((await this.service.get(SystemClock)).now());
    const line = `${String(report.subscriptions)} subscriptions were due; ${String(report.steps)} steps were taken`;
    return { json: report, lines: [line] };
  }
}
