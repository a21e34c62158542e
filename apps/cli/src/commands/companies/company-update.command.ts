import { Images } from '@commerce/catalog';
import { Companies } from '@commerce/identity';
import { Command, Option } from 'nest-commander';

import { idOption, table, type Outcome } from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';
import { CompanyCommand, companyInput, shownCompany, type CompanyOptions } from './company-options.js';

interface Options extends CompanyOptions {
  readonly company: string;
}

@Command({ name: 'company:update', description: 'changes the settings of a company' })
export class CompanyUpdateCommand extends CompanyCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const id = idOption(options.company, 'company');
    const logo = options.seller?.logo ?? null;
    if (logo !== null) await (await this.service.get(Images)).keepForInvoices(id, logo, 'seller.logo');
    const company = await (await this.service.get(Companies)).update(id, companyInput(options));
    const shown = shownCompany(company);
    return { json: shown, lines: table(Object.entries(shown)) };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--name <name>', description: 'name of the company' })
  readName(value: string): string {
    return value;
  }
}
