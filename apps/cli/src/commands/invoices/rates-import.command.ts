import { readFileSync } from 'node:fs';

import { Companies } from '@commerce/identity';
import { ExchangeRateStore, ecbRates } from '@commerce/invoices';
import { DatabaseClock } from '@commerce/data';
import { fieldFault } from '@commerce/kernel';
import { InvoiceDueStore } from '@commerce/payments';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { putOnRecord } from '../../installation-audit-log.js';
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
    await putOnRecord(this.service, _id);
    await (await this.service.get(ExchangeRateStore)).put(_id, rates);
    const now = await (await this.service.get(DatabaseClock)).now();
    await (await this.service.get(InvoiceDueStore)).retryFailed(_id, now);
    const days = rates.map(({ day }) => day).sort();
    const [from, to] = [days[0] ?? '', days.at(-1) ?? ''];
    const lines = [`Imported ${String(rates.length)} rates, from ${from} to ${to}.`];
    return { json: { imported: rates.length, from, to }, lines };
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
