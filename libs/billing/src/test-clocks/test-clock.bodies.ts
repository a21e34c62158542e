import { TestClockRecord } from '@commerce/identity';
import { createBody } from '@commerce/platform';

export class CreateTestClockBody extends createBody(TestClockRecord, ['name', 'frozen_time']) {}

export class AdvanceTestClockBody extends createBody(TestClockRecord, ['frozen_time']) {}
