import { readFileSync } from 'node:fs';

import { Companies } from '@commerce/identity';
import { ExchangeRates, ecbRates } from '@commerce/invoices';
import { fieldFault } from '@commerce/kernel';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly file: string;
}

/** The standard input. */
const STDIN = 0;

@Command({
  name: 'rates:import',
  description: 'imports exchange rates of the euro, from a file of the European Central Bank',
})
export class RatesImportCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform({ company, file }: Options): Promise<Outcome> {
    const { _id } = await (await this.service.get(Companies)).get(idOption(company, 'company'));
    const rates = ecbRates(textOf(file));
    const json = await (await this.service.get(ExchangeRates)).put(_id, rates);
    return { json, lines: [`Imported ${String(json.imported)} rates, from ${json.from} to ${json.to}.`] };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({
    flags: '--file <path>',
    required: true,
    description: 'eurofxref as CSV or XML, of one day or many; - reads the standard input',
  })
  readFile(value: string): string {
    return value;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? STDIN : file, 'utf8');
  } catch (error) {
    throw fieldFault('file', `file cannot be read: ${error instanceof Error ? error.message : file}`);
  }
}
