import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { OUTBOX_COLLECTION } from './outbox.js';

/** Health and indexes of the database. */
@Injectable()
export class Database {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async ping(): Promise<void> {
    await this.connection.db?.admin().ping();
  }

  /** Creates the missing indexes of every model; harmless when all exist. */
  async ensureIndexes(): Promise<void> {
    for (const name of this.connection.modelNames()) {
      await this.connection.model(name).createCollection();
      await this.connection.model(name).createIndexes();
    }
    await this.connection.collection<object>(OUTBOX_COLLECTION).createIndexes([
      {
        key: { pending: 1, company: 1, _id: 1 },
        name: 'pending',
        partialFilterExpression: { pending: true },
      },
    ]);
  }
}
