import { BillingProcessor } from '@commerce/billing';
import { DatabaseClock } from '@commerce/platform';
import { Command } from 'nest-commander';

import { AdminCommand, type CommonOptions, type Outcome } from '../admin-command.js';
import { ServiceContext } from '../service-context.js';

@Command({
  name: 'billing:run',
  description: 'bills everything that is due now, as the workers do continuously',
})
export class BillingRunCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(): Promise<Outcome> {
    const cycle = await this.service.get(BillingProcessor);
    const report = await cycle.runDue((await this.service.get(DatabaseClock)).read());
    const line = `${String(report.subscriptions)} subscriptions were due; ${String(report.steps)} steps were made`;
    return { json: report, lines: [line] };
  }
}
