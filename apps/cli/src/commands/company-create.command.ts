import { Companies, Keys } from '@commerce/identity';
import { Command, Option } from 'nest-commander';

import { table, type Outcome } from '../admin-command.js';
import { Service } from '../service.js';
import { CompanyCommand, companyInput, type CompanyOptions } from './company-options.js';

interface Options extends CompanyOptions {
  readonly name: string;
}

@Command({ name: 'company:create', description: 'founds a company and makes its first two keys' })
export class CompanyCreateCommand extends CompanyCommand<Options> {
  constructor(private readonly service: Service) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const companies = await this.service.get(Companies);
    const keys = await this.service.get(Keys);
    const { _id, mode } = await companies.create({ ...companyInput(options), name: options.name });
    const made = {
      company: _id.toHexString(),
      api_key: (await keys.create(_id, 'api', mode)).key,
      service_key: (await keys.create(_id, 'service', mode)).key,
    };
    return { json: made, lines: [...table(Object.entries(made)), 'The keys are shown this once only.'] };
  }

  @Option({ flags: '--name <name>', required: true, description: 'what the company is called' })
  readName(value: string): string {
    return value;
  }
}
