import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DeliveryRecord, EventLog, EventReplayer, ListEventsQuery, type EventShown } from '@commerce/events';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('events')
@Controller('events')
export class EventsController {
  constructor(
    private readonly log: EventLog,
    private readonly replayer: EventReplayer,
  ) {}

  /** The company's events in order; `after` takes the id of the last one seen. */
  @Get()
  @AdminOnly()
  list(
    @Calling() caller: Caller,
    @QueryOf(ListEventsQuery) query: ListEventsQuery,
  ): Promise<Page<EventShown>> {
    return this.log.list(caller, query);
  }

  @Get(':id')
  @AdminOnly()
  get(@Calling() caller: Caller, @Id() id: string): Promise<EventShown> {
    return this.log.get(caller, id);
  }

  /** Sends the event again to every webhook of its kind. */
  @Post(':id/replay')
  @AdminOnly()
  @Answers([DeliveryRecord])
  replay(@Calling() caller: Caller, @Id() id: string): Promise<DeliveryRecord[]> {
    return this.replayer.replay(caller, id);
  }
}
