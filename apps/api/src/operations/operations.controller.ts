import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CheckupRecord, Checkups } from '@commerce/doctor';
import { DatabaseClock, type Caller } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, AnswersLater, Describe } from '../http/answers.js';
import { Post } from '../http/methods.js';
import { Calling } from '../http/params.js';
import { DueWorkReader } from './due-work-reader.js';
import { OperationsReply } from './due-work.reply.js';

@ApiTags('operations')
@Controller('operations')
export class OperationsController {
  constructor(
    private readonly reader: DueWorkReader,
    private readonly clock: DatabaseClock,
    private readonly checkups: Checkups,
  ) {}

  @Describe(
    'Retrieve the work that is due',
    'How much of each kind of work waits to be done for the company, since when, how many subscriptions are held, and how the queues stand. A worker that keeps up leaves next to nothing due.',
  )
  @Get()
  @AdminOnly()
  @Answers(OperationsReply)
  async due(@Calling() caller: Caller): Promise<OperationsReply> {
    return this.reader.read(caller, await this.clock.now());
  }

  @Describe(
    'Retrieve the last checkup',
    'What was found when all records of the company were compared with each other and with the card provider. Nothing is repaired by it: the admin command in `repair` does that.',
  )
  @Get('checkup')
  @AdminOnly()
  @Answers(CheckupRecord)
  checkup(@Calling() caller: Caller): Promise<CheckupRecord> {
    return this.checkups.last(caller);
  }

  @Describe(
    'Request a checkup',
    'A worker walks over all records of the company, which may take minutes; ask for its result until the state is `done`. While one waits or runs, that one is the answer. It changes nothing.',
  )
  @Post('checkup')
  @AdminOnly()
  @AnswersLater(CheckupRecord)
  requestCheckup(@Calling() caller: Caller): Promise<CheckupRecord> {
    return this.checkups.request(caller);
  }
}
