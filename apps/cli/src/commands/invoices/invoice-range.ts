import { Companies, type CompanyRecord } from '@commerce/identity';
import { DAY_MS, fieldFault, instantOfWall } from '@commerce/kernel';
import { Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions } from '../../admin-command.js';
import type { ServiceContext } from '../../service-context.js';

export interface RangeOptions extends CommonOptions {
  readonly company: string;
  readonly from?: number;
  readonly to?: number;
}

/** A command on the invoices and credit notes that a company has issued from one day to another. */
export abstract class InvoiceRangeCommand<Options extends RangeOptions> extends AdminCommand<Options> {
  protected abstract readonly service: ServiceContext;

  /** The company, and the condition of its documents. Both days belong to the range; they are those of its timezone. */
  protected async asked({
    company: id,
    from,
    to,
  }: RangeOptions): Promise<{ readonly company: CompanyRecord; readonly filter: Record<string, unknown> }> {
    const company = await (await this.service.get(Companies)).get(idOption(id, 'company'));
    if (from !== undefined && to !== undefined && to < from) throw fieldFault('to', '--to is before --from');
    const beginOf = (day: number): Date => instantOfWall({ day, ms: 0 }, company.timezone);
    const created = {
      ...(from === undefined ? {} : { $gte: beginOf(from) }),
      ...(to === undefined ? {} : { $lt: beginOf(to + 1) }),
    };
    return { company, filter: from === undefined && to === undefined ? {} : { created } };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--from <day>', description: 'the first day, such as 2026-01-01' })
  readFrom(value: string): number {
    return dayOption(value, 'from');
  }

  @Option({ flags: '--to <day>', description: 'the last day, such as 2026-01-31' })
  readTo(value: string): number {
    return dayOption(value, 'to');
  }
}

/** Parses an option's value as a civil day; counts days from 1970-01-01. */
function dayOption(text: string, option: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  if (isDay) return ms / DAY_MS;
  throw fieldFault(option, `--${option} must be a day such as 2026-01-31, not "${text}"`);
}
