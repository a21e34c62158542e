import { BillingProcessor, SubscriptionStore } from '@commerce/billing';
import { DatabaseClock } from '@commerce/data';
import { Command, Option } from 'nest-commander';

import { AdminCommand, type CommonOptions, type Outcome } from '../../admin-command.js';
import { confirmAtTerminal } from '../../confirm.js';
import { withProgress } from '../../output/progress.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly yes?: boolean;
}

@Command({
  name: 'billing:run',
  description: 'bills everything that is due now, as the workers do continuously',
})
export class BillingRunCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform({ yes }: Options): Promise<Outcome> {
    const cycle = await this.service.get(BillingProcessor);
    const now = (await this.service.get(DatabaseClock)).read();
    const due = await (await this.service.get(SubscriptionStore)).dueCount(now);
    if (due > 0) await confirmAtTerminal(`Bill ${String(due)} subscriptions now?`, yes);
    const report = await withProgress((progress) => {
      progress(0, due, 'subscriptions');
      return cycle.runDue(now, ({ subscriptions }) => progress(subscriptions, due, 'subscriptions'));
    });
    const line = `${String(report.subscriptions)} subscriptions were due; ${String(report.steps)} steps were made`;
    return { json: report, lines: [line] };
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}
