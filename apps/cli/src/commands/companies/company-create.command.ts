import { Companies, Keys, type Mode } from '@commerce/identity';
import { fieldFault } from '@commerce/kernel';
import { Command, Option } from 'nest-commander';

import { choiceOption, table, type Outcome } from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';
import { CompanyCommand, companyInput, type CompanyOptions } from './company-options.js';

export const MODES: Mode[] = ['test', 'live'];

interface Options extends CompanyOptions {
  readonly name: string;
  readonly mode?: Mode;
}

@Command({ name: 'company:create', description: 'creates a company and its first two keys' })
export class CompanyCreateCommand extends CompanyCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    if (options.seller?.logo != null)
      throw fieldFault(
        'seller.logo',
        'A new company has no images: upload the logo, then use company:update',
      );
    const companies = await this.service.get(Companies);
    const keys = await this.service.get(Keys);
    const { _id, mode } = await companies.create({
      ...companyInput(options),
      name: options.name,
      ...(options.mode === undefined ? {} : { mode: options.mode }),
    });
    const made = {
      company: _id.toHexString(),
      api_key: (await keys.create(_id, 'api', mode)).key,
      service_key: (await keys.create(_id, 'service', mode)).key,
    };
    return { json: made, lines: [...table(Object.entries(made)), 'The keys are shown only this once.'] };
  }

  @Option({ flags: '--name <name>', required: true, description: 'name of the company' })
  readName(value: string): string {
    return value;
  }

  @Option({
    flags: '--mode <mode>',
    choices: MODES,
    description: 'whether it charges real money, for good; default: test',
  })
  readMode(value: string): Mode {
    return choiceOption(value, 'mode', MODES);
  }
}
