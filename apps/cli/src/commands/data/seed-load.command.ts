import { Command, Option } from 'nest-commander';

import { AdminCommand, countOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { withProgress } from '../../output/progress.js';
import { LoadSeed } from '../../seeds/load-seed.js';

interface Options extends CommonOptions {
  readonly products?: number;
  readonly subscriptions?: number;
  readonly orders?: number;
}

@Command({
  name: 'seed:load',
  description: 'adds many products, subscriptions and orders to the demo company',
})
export class SeedLoadCommand extends AdminCommand<Options> {
  constructor(private readonly load: LoadSeed) {
    super();
  }

  async perform({ products = 0, subscriptions = 0, orders = 0 }: Options): Promise<Outcome> {
    const counts = { products, subscriptions, orders };
    const report = await withProgress((progress) => this.load.seed(counts, progress));
    const { seconds } = report;
    const made = `${String(products)} products, ${String(subscriptions)} subscriptions, ${String(orders)} orders`;
    const line = `${made} in ${String(seconds)} s`;
    return { json: report, lines: [line] };
  }

  @Option({ flags: '--products <count>', description: 'how many products to add' })
  readProducts(value: string): number {
    return countOption(value, 'products');
  }

  @Option({ flags: '--orders <count>', description: 'how many orders to add; every other one is paid' })
  readOrders(value: string): number {
    return countOption(value, 'orders');
  }

  @Option({ flags: '--subscriptions <count>', description: 'how many started subscriptions to add' })
  readSubscriptions(value: string): number {
    return countOption(value, 'subscriptions');
  }
}
