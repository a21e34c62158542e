import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AdvanceTestClockBody,
  CreateTestClockBody,
  ListTestClocksQuery,
  TestClocks,
} from '@commerce/billing';
import { TestClockRecord } from '@commerce/identity';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('test clocks')
@Controller('test_clocks')
export class TestClocksController {
  constructor(private readonly clocks: TestClocks) {}

  @Post()
  @AdminOnly()
  @Answers(TestClockRecord)
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateTestClockBody) body: CreateTestClockBody,
  ): Promise<TestClockRecord> {
    return this.clocks.create(caller, body);
  }

  @Get()
  @AdminOnly()
  @Answers([TestClockRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListTestClocksQuery) query: ListTestClocksQuery,
  ): Promise<Page<TestClockRecord>> {
    return this.clocks.list(caller, query);
  }

  @Get(':id')
  @AdminOnly()
  @Answers(TestClockRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<TestClockRecord> {
    return this.clocks.get(caller, id);
  }

  @Delete(':id')
  @AdminOnly()
  @Answers(TestClockRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<TestClockRecord> {
    return this.clocks.delete(caller, id);
  }

  @Post(':id/advance')
  @AdminOnly()
  @Answers(TestClockRecord)
  advance(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(AdvanceTestClockBody) body: AdvanceTestClockBody,
  ): Promise<TestClockRecord> {
    return this.clocks.advance(caller, id, body);
  }
}
