import { InvoiceStore, type InvoiceRecord } from '@commerce/invoices';
import { Command, Option } from 'nest-commander';

import { countOption, type Outcome } from '../../admin-command.js';
import { grid } from '../../output/grid.js';
import { ServiceContext } from '../../service-context.js';
import { amountText } from '../../show/timeline-lines.js';
import { InvoiceRangeCommand, type RangeOptions } from './invoice-range.js';

interface Options extends RangeOptions {
  readonly size?: number;
}

const DEFAULT_SIZE = 100;
const LARGEST_SIZE = 10_000;

@Command({
  name: 'invoice:list',
  description: 'lists invoices and credit notes of a company, the newest first',
})
export class InvoiceListCommand extends InvoiceRangeCommand<Options> {
  constructor(protected readonly service: ServiceContext) {
    super();
  }

  async perform({ size = DEFAULT_SIZE, ...options }: Options): Promise<Outcome> {
    const { company, filter } = await this.asked(options);
    const store = await this.service.get(InvoiceStore);
    const sort = { created: -1, _id: -1 } as const;
    const found = await store.in(company._id).many(filter, { sort, limit: size + 1 });
    const shown = found.slice(0, size);
    const columns = ['net', 'VAT', 'gross'].map((head) => ({ head, align: 'right' as const }));
    const rest = found.length > size ? ['', `There are more than ${String(size)}: see --size.`] : [];
    return {
      json: shown.map(summaryOf),
      lines:
        shown.length === 0
          ? ['There are none.']
          : [...grid(['number', 'date', ...columns, 'customer', 'payment'], shown.map(rowOf)), ...rest],
    };
  }

  @Option({ flags: '--size <count>', description: 'how many, at most 10000; default: 100' })
  readSize(value: string): number {
    return countOption(value, 'size', LARGEST_SIZE);
  }
}

function summaryOf({ _id, payment, content, ...document }: InvoiceRecord) {
  const { kind, number, currency, net, tax, gross } = document;
  return {
    ...{ id: _id.toHexString(), kind, number, issue_date: content.issue_date },
    ...{ currency, net, tax, gross, payment: payment.toHexString() },
    customer: customerOf(content.buyer),
  };
}

function rowOf({ number, currency, net, tax, gross, payment, content }: InvoiceRecord): string[] {
  const amounts = [net, tax, gross].map((amount) => amountText(amount, currency));
  return [number, content.issue_date, ...amounts, customerOf(content.buyer), payment.toHexString()];
}

function customerOf({ company, name, email, human_id }: InvoiceRecord['content']['buyer']): string {
  return company ?? name ?? email ?? human_id;
}
