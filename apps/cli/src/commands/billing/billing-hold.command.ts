import { BillingHoldStore } from '@commerce/payments';
import { DatabaseClock } from '@commerce/data';
import { Command } from 'nest-commander';

import { AdminCommand, type CommonOptions, type Outcome } from '../../admin-command.js';
import { putOnRecord } from '../../installation-audit-log.js';
import { ServiceContext } from '../../service-context.js';

@Command({
  name: 'billing:hold',
  description: 'stops new charges of the whole installation, as after a restore, until billing:resume',
})
export class BillingHoldCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(): Promise<Outcome> {
    await putOnRecord(this.service);
    const now = (await this.service.get(DatabaseClock)).read();
    const since = await (await this.service.get(BillingHoldStore)).hold(now);
    const lines = [`New charges are on hold since ${since.toISOString()}; billing:resume lets them go on.`];
    return { json: { held_since: since.getTime() }, lines };
  }
}
