import { Companies } from '@commerce/identity';
import { Command } from 'nest-commander';

import { AdminCommand, type CommonOptions, type Outcome } from '../../admin-command.js';
import { grid } from '../../output/grid.js';
import { ServiceContext } from '../../service-context.js';
import { shownCompany } from './company-options.js';

@Command({ name: 'company:list', description: 'lists the companies' })
export class CompanyListCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(): Promise<Outcome> {
    const shown: Record<string, string | boolean>[] = [];
    for await (const company of (await this.service.get(Companies)).all()) shown.push(shownCompany(company));
    const rows = shown.map((one) => Object.values(one).map(String));
    const lines = grid(
      [
        ...['company', 'name', 'timezone', 'proration', 'tax', 'mode', 'users edit identity'],
        ...['hides inactive', 'seller', 'tax mode', 'customers'],
      ],
      rows,
    );
    return { json: shown, lines: shown.length > 0 ? lines : ['There are no companies yet.'] };
  }
}
