import { Command } from 'nest-commander';

import { AdminCommand, table, type CommonOptions, type Outcome } from '../../admin-command.js';
import { DemoSeed } from '../../seeds/demo-seed.js';

@Command({
  name: 'seed:demo',
  description: 'a company to try the service with; running it again changes nothing and prints the same keys',
})
export class SeedDemoCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly demo: DemoSeed) {
    super();
  }

  async perform(): Promise<Outcome> {
    const demo = await this.demo.seed();
    return { json: demo, lines: table(Object.entries(demo)) };
  }
}
