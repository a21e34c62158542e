import { JobQueue } from '@commerce/jobs';
import { RedisClient } from '@commerce/platform';
import { Command, Option } from 'nest-commander';

import { AdminCommand, table, type CommonOptions, type Outcome } from '../../admin-command.js';
import { confirmAtTerminal } from '../../confirm.js';
import { putOnRecord } from '../../installation-audit-log.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly yes?: boolean;
}

@Command({
  name: 'queues:rebuild',
  description: 'empties the queues; the sweeps of the workers fill them again from the database',
})
export class QueuesRebuildCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const redis = await this.service.get(RedisClient);
    await redis.checkMode();
    await redis.untilReady();
    const queues = (await this.service.get(JobQueue)).allQueues();
    await confirmAtTerminal(
      `Empty ${String(queues.length)} queues? What is owed stays in the database.`,
      options.yes,
    );
    await putOnRecord(this.service);
    const emptied: Record<string, number> = {};
    for (const queue of queues) {
      await queue.waitUntilReady();
      emptied[queue.name] = await queue.count();
      await queue.obliterate({ force: true });
    }
    return { json: { emptied }, lines: table(Object.entries(emptied)) };
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}
