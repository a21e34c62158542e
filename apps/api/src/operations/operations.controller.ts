import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@commerce/platform';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe } from '../http/answers.js';
import { Calling } from '../http/params.js';
import { DueWorkReader } from './due-work-reader.js';
import { OperationsReply } from './due-work.reply.js';

@ApiTags('operations')
@Controller('operations')
export class OperationsController {
  constructor(private readonly reader: DueWorkReader) {}

  @Describe(
    'Retrieve the work that is due',
    'How much of each kind of work waits to be done for the company, since when, and how many subscriptions are held. A worker that keeps up leaves next to nothing due.',
  )
  @Get()
  @AdminOnly()
  @Answers(OperationsReply)
  due(@Calling() caller: Caller): Promise<OperationsReply> {
    return this.reader.read(caller);
  }
}
