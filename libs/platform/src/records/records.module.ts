import { Global, Injectable, Module } from '@nestjs/common';
import { InjectConnection, MongooseModule } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { CONFIG, type Config } from '../config/config.js';
import { DatabaseClock } from './database-clock.js';
import { OUTBOX_COLLECTION, OutboxSignal } from './outbox.js';
import { TakenNames } from './taken-names.js';
import { UnitsOfWork } from './units-of-work.js';

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

/** The connection, with the concerns that money needs, and the unit of work. */
@Global()
@Module({
  imports: [
    MongooseModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        uri: config.mongodbUri,
        autoIndex: false,
        autoCreate: false,
        bufferCommands: false,
        retryAttempts: config.databaseAttempts,
        retryDelay: 1000,
        serverSelectionTimeoutMS: 2500,
        connectTimeoutMS: 5000,
        maxPoolSize: 50,
        retryWrites: true,
        writeConcern: { w: 'majority', journal: true },
        readConcern: { level: 'majority' },
      }),
    }),
  ],
  providers: [OutboxSignal, UnitsOfWork, TakenNames, Database, DatabaseClock],
  exports: [OutboxSignal, UnitsOfWork, TakenNames, Database, DatabaseClock],
})
export class RecordsModule {}
