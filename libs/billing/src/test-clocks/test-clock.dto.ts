import { TestClockRecord } from '@commerce/identity';
import { sortsOf, createBody, listQuery } from '@commerce/records';

export class CreateTestClockBody extends createBody(TestClockRecord, ['name', 'frozen_time']) {}

export class AdvanceTestClockBody extends createBody(TestClockRecord, ['frozen_time']) {}

export class ListTestClocksQuery extends listQuery({
  sortable: sortsOf(TestClockRecord),
  sort: '-created',
  dates: ['created', 'updated'],
}) {}
