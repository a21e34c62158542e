import { Injectable } from '@nestjs/common';
import { RecordStore, isDuplicate } from '@commerce/data';
import { InjectRecord, newId, optionsOf, type Id, type RecordModel } from '@commerce/records';

import { ExchangeRateRecord } from './exchange-rate.record.js';

/** A reference rate: what one euro is in a currency. */
export type ExchangeRate = Pick<ExchangeRateRecord, 'currency' | 'day' | 'rate'>;

/** Rates written in one command. */
const AT_ONCE = 500;

/** The exchange rates that a company was given. */
@Injectable()
export class ExchangeRateStore extends RecordStore<ExchangeRateRecord> {
  constructor(@InjectRecord(ExchangeRateRecord) model: RecordModel) {
    super(model, ExchangeRateRecord);
  }

  /** Writes rates; one that is there is replaced. */
  async put(company: Id, rates: readonly ExchangeRate[], now: Date): Promise<void> {
    for (let at = 0; at < rates.length; at += AT_ONCE) {
      const some = rates.slice(at, at + AT_ONCE);
      try {
        await this.upsert(company, some, now);
      } catch (error) {
        // Another writer has added one of them meanwhile, which is there to be replaced now.
        if (!isDuplicate(error)) throw error;
        await this.upsert(company, some, now);
      }
    }
  }

  /** The rate of a day, or the last one before it; null without one. */
  async lastUntil(company: Id, currency: string, day: string): Promise<ExchangeRate | null> {
    const until = { currency, day: { $lte: day } };
    const [found] = await this.in(company).many(until, { limit: 1, sort: { day: -1 } });
    return found === undefined ? null : { currency, day: found.day, rate: found.rate };
  }

  private async upsert(company: Id, rates: readonly ExchangeRate[], now: Date): Promise<void> {
    const { cls } = optionsOf(ExchangeRateRecord);
    const writes = rates.map(({ currency, day, rate }) => ({
      updateOne: {
        filter: { company, currency, day },
        update: {
          $set: { rate, updated: now },
          $inc: { 'sys.version': 1 },
          $setOnInsert: { _id: newId(), _cls: cls, created: now, 'sys.events': 0 },
        },
        upsert: true,
      },
    }));
    await this.model.collection.bulkWrite(writes, { ordered: false });
  }
}
