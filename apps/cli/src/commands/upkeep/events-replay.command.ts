import { EventLog, EventReplayer, ListEventsQuery } from '@commerce/events';
import { Companies } from '@commerce/identity';
import { type Caller } from '@commerce/data';
import { parseQuery } from '@commerce/records';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { confirmAtTerminal } from '../../confirm.js';
import { adminOf } from '../../admin-caller.js';
import { withProgress } from '../../output/progress.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly event?: string;
  readonly after?: string;
  readonly kind?: string;
  readonly yes?: boolean;
}

const PAGE = 100;

@Command({
  name: 'events:replay',
  description: 'sends one event again to the webhooks of its kind, or every event after another one',
})
export class EventsReplayCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const company = await (await this.service.get(Companies)).get(idOption(options.company, 'company'));
    if ((options.event === undefined) === (options.after === undefined)) {
      throw new Error('Say --event for one event, or --after for all that follow one.');
    }
    const replayer = await this.service.get(EventReplayer);
    const ids =
      options.event === undefined ? await this.idsAfter(adminOf(company), options) : [options.event];
    if (options.event === undefined)
      await confirmAtTerminal(`Send ${String(ids.length)} events again?`, options.yes);
    const deliveries = await withProgress(async (progress) => {
      let made = 0;
      for (const [done, id] of ids.entries()) {
        progress(done, ids.length, 'events');
        made += (await replayer.replay(adminOf(company), id)).length;
      }
      return made;
    });
    const report = { events: ids.length, deliveries };
    return { json: report, lines: [`${String(ids.length)} events, ${String(deliveries)} deliveries`] };
  }

  private async idsAfter(caller: Caller, { after, kind }: Options): Promise<string[]> {
    const log = await this.service.get(EventLog);
    const ids: string[] = [];
    for (let at = after; at !== undefined;) {
      const query = parseQuery(ListEventsQuery, {
        size: String(PAGE),
        after: at,
        ...(kind === undefined ? {} : { kind }),
      });
      const { records } = await log.list(caller, query);
      ids.push(...records.map((event) => event._id.toHexString()));
      at = records.length === PAGE ? records.at(-1)?._id.toHexString() : undefined;
    }
    return ids;
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--event <id>', description: 'the event to send again' })
  readEvent(value: string): string {
    return value;
  }

  @Option({ flags: '--after <id>', description: 'send all events that follow this one' })
  readAfter(value: string): string {
    return value;
  }

  @Option({ flags: '--kind <kind>', description: 'with --after: events of this kind only' })
  readKind(value: string): string {
    return value;
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}
