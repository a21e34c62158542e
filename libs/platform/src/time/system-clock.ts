import { Injectable } from '@nestjs/common';
import type { Clock } from '@commerce/kernel';

/** The machine's clock, and the one place that asks it. */
@Injectable()
export class SystemClock implements Clock {
  now(): Date {
    // oxlint-disable-next-line eslint-js/no-restricted-syntax -- the one place that asks for it
    return new Date();
  }
}
