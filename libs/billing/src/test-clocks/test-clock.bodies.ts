import { TestClockRecord } from '@commerce/identity';
import { createBody, listQuery } from '@commerce/platform';

export class CreateTestClockBody extends createBody(TestClockRecord, ['name', 'frozen_time']) {}

export class AdvanceTestClockBody extends createBody(TestClockRecord, ['frozen_time']) {}

export class ListTestClocksQuery extends listQuery({
  sortable: ['created', 'updated', 'name'],
  sort: '-created',
  dates: ['created', 'updated'],
}) {}
