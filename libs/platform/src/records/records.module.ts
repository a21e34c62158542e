import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';

import { CONFIG, type Config } from '../config/config.js';
import { DatabaseClock } from './database-clock.js';
import { Database } from './database.js';
import { OutboxSignal } from './outbox.js';
import { SecretResealer } from './secret-resealer.js';
import { TakenNames } from './taken-names.js';
import { UnitsOfWork } from './units-of-work.js';

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
  providers: [OutboxSignal, SecretResealer, UnitsOfWork, TakenNames, Database, DatabaseClock],
  exports: [OutboxSignal, SecretResealer, UnitsOfWork, TakenNames, Database, DatabaseClock],
})
export class RecordsModule {}
