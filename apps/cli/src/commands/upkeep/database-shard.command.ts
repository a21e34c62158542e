import { Sharder, type CollectionPlan, type ShardingPlan } from '@commerce/data';
import { Command, Option } from 'nest-commander';

import { AdminCommand, table, type CommonOptions, type Outcome } from '../../admin-command.js';
import { putOnRecord } from '../../installation-audit-log.js';
import { withProgress } from '../../output/progress.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly dryRun?: boolean;
}

@Command({
  name: 'database:shard',
  description: 'distributes the companies over the shards of a cluster; may be stopped and run again',
})
export class DatabaseShardCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform({ dryRun = false }: Options): Promise<Outcome> {
    const sharder = await this.service.get(Sharder);
    const plan = await withProgress((progress) => sharder.plan(progress));
    if (dryRun)
      return { json: { ...shown(plan), dry_run: true }, lines: [...linesOf(plan), 'Nothing was done.'] };
    await putOnRecord(this.service);
    await withProgress((progress) => sharder.carryOut(plan, progress));
    const unbalanced = await withProgress((progress) => sharder.untilBalanced(plan, progress));
    return {
      json: { ...shown(plan), unbalanced },
      lines: [...linesOf(plan), ...unbalanced.map((name) => `The balancer does not move ${name}`)],
      failed: unbalanced.length > 0,
    };
  }

  @Option({ flags: '--dry-run', description: 'say what would be done, and do nothing' })
  readDryRun(): boolean {
    return true;
  }
}

function shown({ ranges, collections }: ShardingPlan): object {
  return {
    shards: ranges.map(({ shard, from }) => ({ shard, from: from?.toHexString() ?? null })),
    collections: collections.map((one) => ({ name: one.name, key: one.key, steps: stepsOf(one) })),
  };
}

function linesOf({ ranges, collections }: ShardingPlan): string[] {
  return table([
    ...ranges.map(
      ({ shard, from }) => [shard, `companies from ${from?.toHexString() ?? 'the lowest id'} on`] as const,
    ),
    ...collections.map((one) => [one.name, stepsOf(one).join(', ') || 'is sharded already'] as const),
  ]);
}

function stepsOf({ key, needsIndex, needsSharding, zones }: CollectionPlan): string[] {
  const by = JSON.stringify(key);
  return [
    ...(needsIndex ? [`index ${by}`] : []),
    ...(zones.add.length + zones.remove.length > 0 ? ['zones'] : []),
    ...(needsSharding ? [`shard by ${by}`] : []),
  ];
}
