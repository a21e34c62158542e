import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DeliveryRecord, EventLog, EventReplayer, ListEventsQuery, type EventShown } from '@commerce/events';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { Post } from '../http/methods.js';
import { Calling, Id, QueryOf } from '../http/params.js';
import { EventReply } from './event.reply.js';

@ApiTags('events')
@Controller('events')
export class EventsController {
  constructor(
    private readonly log: EventLog,
    private readonly replayer: EventReplayer,
  ) {}

  @Describe(
    'List events',
    'In the order of the log, the oldest first. `after` takes the id of the last event seen, so that a consumer that missed webhooks can catch up. Once that event has been removed the answer is 410 `event.expired`: what followed it may be gone as well.',
  )
  @Get()
  @AdminOnly()
  @Answers([EventReply])
  @Faults('event.unknown', 'event.expired')
  list(
    @Calling() caller: Caller,
    @QueryOf(ListEventsQuery) query: ListEventsQuery,
  ): Promise<Page<EventShown>> {
    return this.log.list(caller, query);
  }

  @Describe('Retrieve an event', 'As webhooks get it, without `url`.')
  @Get(':id')
  @AdminOnly()
  @Answers(EventReply)
  get(@Calling() caller: Caller, @Id() id: string): Promise<EventShown> {
    return this.log.get(caller, id);
  }

  @Describe('Replay an event', 'Sends it again to every webhook of its kind. Answers with the deliveries.')
  @Post(':id/replay')
  @AdminOnly()
  @Answers([DeliveryRecord])
  @Faults('event.state_conflict')
  replay(@Calling() caller: Caller, @Id() id: string): Promise<DeliveryRecord[]> {
    return this.replayer.replay(caller, id);
  }
}
