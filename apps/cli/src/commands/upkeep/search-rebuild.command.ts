import { SearchRebuilder } from '@commerce/catalog';
import { Command } from 'nest-commander';

import { AdminCommand, table, type CommonOptions, type Outcome } from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';

/** Prints a progress line for each batch of this many records, because the total is unknown. */
const PER_LINE = 10_000;

@Command({
  name: 'search:rebuild',
  description: 'has searches find all products, resources and coupons; may be stopped and run again',
})
export class SearchRebuildCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(): Promise<Outcome> {
    const rebuilder = await this.service.get(SearchRebuilder);
    const rebuilt = await rebuilder.rebuild(report);
    const rows = Object.entries(rebuilt).map(
      ([kind, { looked, written }]) =>
        [`${kind}s`, `${String(written)} of ${String(looked)} could not be found before`] as const,
    );
    return { json: rebuilt, lines: table(rows) };
  }
}

function report(looked: number, kind: string): void {
  if (looked % PER_LINE === 0) process.stderr.write(`${String(looked)} ${kind}s\n`);
}
