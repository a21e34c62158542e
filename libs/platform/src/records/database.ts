import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { databaseTrouble } from './database-trouble.js';
import { OUTBOX_COLLECTION } from './outbox.js';

/** Health and indexes of the database. */
@Injectable()
export class Database {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async ping(): Promise<void> {
    await this.connection.db?.admin().ping();
  }

  /** Creates the missing indexes of every model, however long that takes; harmless when all exist. */
  async ensureIndexes(): Promise<void> {
    for (const name of this.connection.modelNames()) {
      await this.connection.model(name).createCollection();
      await built(() => this.connection.model(name).createIndexes());
    }
    const pending = {
      key: { pending: 1, company: 1, _id: 1 },
      name: 'pending',
      partialFilterExpression: { pending: true },
    } as const;
    await built(() => this.connection.collection<object>(OUTBOX_COLLECTION).createIndexes([pending]));
  }
}

/** How often in a row the build of an index may take longer than a call. */
const MAX_CALLS = 1000;

/** The server goes on with a build whose caller has gone; whoever asks for it again waits for its end. */
async function built(build: () => Promise<unknown>): Promise<void> {
  for (let call = 1; ; call += 1) {
    try {
      await build();
      return;
    } catch (error) {
      if (databaseTrouble(error) !== 'silent' || call === MAX_CALLS) throw error;
    }
  }
}
