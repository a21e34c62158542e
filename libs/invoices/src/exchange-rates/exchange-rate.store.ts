import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { RowCollection } from '@commerce/data';
import { BY_COMPANY, newId, type Id } from '@commerce/records';
import type { Collection, Connection } from 'mongoose';

/** A reference rate: what one euro is in a currency. */
export interface ExchangeRate {
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Above 0. */
  readonly rate: number;
}

type Row = ExchangeRate & { readonly _id: Id; readonly company: Id };

const RATES = new RowCollection<Row>('exchange_rates', {
  sharding: BY_COMPANY,
  indexes: [{ key: { company: 1, currency: 1, day: 1 }, unique: true }],
});

/** Rates written in one command. */
const AT_ONCE = 500;

/** The exchange rates that a company was given. */
@Injectable()
export class ExchangeRateStore {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Writes rates; one that is there is replaced. */
  async put(company: Id, rates: readonly ExchangeRate[]): Promise<void> {
    for (let at = 0; at < rates.length; at += AT_ONCE) {
      const writes = rates.slice(at, at + AT_ONCE).map(({ currency, day, rate }) => ({
        updateOne: {
          filter: { company, currency, day },
          update: { $set: { rate }, $setOnInsert: { _id: newId() } },
          upsert: true,
        },
      }));
      await this.rows.bulkWrite(writes, { ordered: false });
    }
  }

  /** The rate of a day, or the last one before it; null without one. */
  async lastUntil(company: Id, currency: string, day: string): Promise<ExchangeRate | null> {
    return this.rows
      .find({ company, currency, day: { $lte: day } }, { projection: { _id: 0, company: 0 } })
      .sort({ day: -1 })
      .limit(1)
      .next();
  }

  private get rows(): Collection<Row> {
    return RATES.in(this.connection);
  }
}
