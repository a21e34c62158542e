import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AdvanceTestClockBody,
  CreateTestClockBody,
  ListTestClocksQuery,
  TestClocks,
} from '@commerce/billing';
import { TestClockRecord } from '@commerce/identity';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { Delete, Post } from '../http/methods.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('test clocks')
@Controller('test_clocks')
export class TestClocksController {
  constructor(private readonly clocks: TestClocks) {}

  @Describe(
    'Create a test clock',
    'A clock that stands still at `frozen_time` until it is advanced. Users created with it live in its time. Test mode only.',
  )
  @Post()
  @AdminOnly()
  @Answers(TestClockRecord)
  @Faults('test_clock.test_mode_only')
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateTestClockBody) body: CreateTestClockBody,
  ): Promise<TestClockRecord> {
    return this.clocks.create(caller, body);
  }

  @Describe('List test clocks', 'The newest first.')
  @Get()
  @AdminOnly()
  @Answers([TestClockRecord])
  @Faults('test_clock.test_mode_only')
  list(
    @Calling() caller: Caller,
    @QueryOf(ListTestClocksQuery) query: ListTestClocksQuery,
  ): Promise<Page<TestClockRecord>> {
    return this.clocks.list(caller, query);
  }

  @Describe('Retrieve a test clock', 'Its `status` is `ready` once an advance has been worked through.')
  @Get(':id')
  @AdminOnly()
  @Answers(TestClockRecord)
  @Faults('test_clock.test_mode_only')
  get(@Calling() caller: Caller, @Id() id: string): Promise<TestClockRecord> {
    return this.clocks.get(caller, id);
  }

  @Describe('Delete a test clock', 'The clock keeps its record, with `deleted` set.')
  @Delete(':id')
  @AdminOnly()
  @Answers(TestClockRecord)
  @Faults('test_clock.test_mode_only')
  delete(@Calling() caller: Caller, @Id() id: string): Promise<TestClockRecord> {
    return this.clocks.delete(caller, id);
  }

  @Describe(
    'Advance a test clock',
    'Runs everything that falls due up to `frozen_time`, in order and each at its own date. Answers at once; the clock is `advancing` until all of it is done.',
  )
  @Post(':id/advance')
  @AdminOnly()
  @Answers(TestClockRecord)
  @Faults('test_clock.state_conflict', 'test_clock.test_mode_only')
  advance(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(AdvanceTestClockBody) body: AdvanceTestClockBody,
  ): Promise<TestClockRecord> {
    return this.clocks.advance(caller, id, body);
  }
}
