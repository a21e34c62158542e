import { BillingHoldStore } from '@commerce/payments';
import { Command } from 'nest-commander';

import { AdminCommand, type CommonOptions, type Outcome } from '../../admin-command.js';
import { putOnRecord } from '../../installation-audit-log.js';
import { ServiceContext } from '../../service-context.js';

@Command({ name: 'billing:resume', description: 'lets charges go on after billing:hold' })
export class BillingResumeCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(): Promise<Outcome> {
    await putOnRecord(this.service);
    const resumed = await (await this.service.get(BillingHoldStore)).resume();
    const line = resumed ? 'Charges go on.' : 'Charges were not on hold.';
    return { json: { resumed }, lines: [line] };
  }
}
