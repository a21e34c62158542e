import { Companies } from '@commerce/identity';
import { parseQuery, type Id } from '@commerce/records';
import type { Type } from '@nestjs/common';
import { Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions } from '../../admin-command.js';
import type { ServiceContext } from '../../service-context.js';

export interface ByMonthOptions extends CommonOptions {
  readonly company: string;
  readonly months?: string;
  readonly testClock?: string;
}

/** A command that adds something up for a company, by month and currency. */
export abstract class ByMonthCommand extends AdminCommand<ByMonthOptions> {
  protected abstract readonly service: ServiceContext;

  /** The company and the query that the options name. */
  protected async asked<Q extends object>(
    type: Type<Q>,
    { company, months, testClock: test_clock }: ByMonthOptions,
  ): Promise<{ readonly company: Id; readonly query: Q }> {
    const { _id } = await (await this.service.get(Companies)).get(idOption(company, 'company'));
    const given = Object.entries({ months, test_clock }).filter(([, value]) => value !== undefined);
    return { company: _id, query: parseQuery(type, Object.fromEntries(given)) };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--months <count>', description: 'how many months, at most 36; default: 12' })
  readMonths(value: string): string {
    return value;
  }

  @Option({
    flags: '--test-clock <id>',
    description: 'the customers on this test clock, by its time; without it, those in real time',
  })
  readTestClock(value: string): string {
    return value;
  }
}
