import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { OUTBOX_COLLECTION } from './outbox.js';

/** Whether the database answers, and the making of its indexes. */
@Injectable()
export class Database {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async ping(): Promise<void> {
    await this.connection.db?.admin().ping();
  }

  /** Creates what is missing of every model's indexes; harmless when all are there. */
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
