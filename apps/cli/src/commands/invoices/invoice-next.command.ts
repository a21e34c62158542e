import { INVOICE_KINDS, InvoiceStore, type InvoiceKind } from '@commerce/invoices';
import { DatabaseClock } from '@commerce/data';
import { fieldFault } from '@commerce/kernel';
import { Command, Option } from 'nest-commander';

import {
  AdminCommand,
  choiceOption,
  countOption,
  idOption,
  type CommonOptions,
  type Outcome,
} from '../../admin-command.js';
import { confirmAtTerminal } from '../../confirm.js';
import { putOnRecord } from '../../installation-audit-log.js';
import { grid } from '../../output/grid.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly kind?: InvoiceKind;
  readonly year?: number;
  readonly number?: number;
  readonly yes?: boolean;
}

const LARGEST = 999_999_999;

@Command({
  name: 'invoice:next',
  description: 'shows the next invoice numbers of a company, or raises one after a restore',
})
export class InvoiceNextCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform({ company: given, kind, year, number, yes }: Options): Promise<Outcome> {
    const company = idOption(given, 'company');
    const store = await this.service.get(InvoiceStore);
    if (number !== undefined) {
      if (kind === undefined || year === undefined)
        throw fieldFault('number', '--number needs --kind and --year');
      const next = await store.nextOf(company, { kind, year });
      await confirmAtTerminal(
        `Go on with ${String(number)} instead of ${String(next)}? That cannot be undone.`,
        yes,
      );
      await putOnRecord(this.service, company);
      const now = await (await this.service.get(DatabaseClock)).now();
      await store.raise(company, { kind, year }, number, now);
    }
    const sequences = await store.sequencesOf(company);
    const shown = sequences.map((one) => ({ kind: one.kind, year: one.year, next: one.next }));
    const rows = shown.map((one) => Object.values(one).map(String));
    const lines = grid(['kind', 'year', 'next'], rows);
    return { json: shown, lines: rows.length > 0 ? lines : ['No number has been given yet.'] };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--kind <kind>', choices: [...INVOICE_KINDS], description: 'of which documents' })
  readKind(value: string): InvoiceKind {
    return choiceOption(value, 'kind', INVOICE_KINDS);
  }

  @Option({ flags: '--year <year>', description: 'of which year' })
  readYear(value: string): number {
    return countOption(value, 'year', 9999);
  }

  @Option({
    flags: '--number <number>',
    description: 'the next number, above all that were given; those between count as lost',
  })
  readNumber(value: string): number {
    return countOption(value, 'number', LARGEST);
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}
