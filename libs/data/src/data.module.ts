import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { Connection, ConnectOptions } from 'mongoose';

import { CONFIG, type Config } from '@commerce/platform';
import { chooseEngine } from './engines/choose-engine.js';
import { DatabaseClock } from './server/database-clock.js';
import { Database } from './server/database.js';
import { restartStuckChecks } from './server/stuck-checks.js';
import { Leases } from './leases/leases.js';
import { DatabaseSizeReader } from './reading/database-size-reader.js';
import { useEngine } from './reading/engine.js';
import { Sharder } from './sharding/sharder.js';
import { CustomerUsageStore } from './writing/customer-usage.store.js';
import { GroupCommit } from './writing/group-commit.js';
import { OutboxSignal } from './writing/outbox.js';
import { SecretResealer } from './writing/secret-resealer.js';
import { UniqueNames } from './writing/unique-names.js';
import { UnitsOfWork } from './writing/units-of-work.js';

/**
 * The driver knows no deadline for a whole operation (its `timeoutMS` has no effect), but one for each wait in it, and
 * repeats a call once when the connection was lost or silent: an answer that does not come costs two calls.
 */
function deadlines(totalMs: number): ConnectOptions {
  const step = Math.round(totalMs * 0.4);
  return {
    serverSelectionTimeoutMS: step,
    waitQueueTimeoutMS: step,
    connectTimeoutMS: Math.max(step, 2000),
    socketTimeoutMS: Math.round(totalMs * 0.45),
    // Without a majority a write exists but is not acknowledged; its caller learns so before the call ends.
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: step },
  };
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
        ...deadlines(config.databaseTimeoutMs),
        maxPoolSize: 50,
        retryWrites: true,
        readConcern: { level: 'majority' },
        connectionFactory: async (connection: Connection) => {
          restartStuckChecks(connection.getClient());
          useEngine(connection, await chooseEngine(connection, config.databaseEngine));
          return connection;
        },
      }),
    }),
  ],
  providers: [
    OutboxSignal,
    SecretResealer,
    CustomerUsageStore,
    GroupCommit,
    UnitsOfWork,
    UniqueNames,
    Database,
    DatabaseSizeReader,
    DatabaseClock,
    Leases,
    Sharder,
  ],
  exports: [
    CustomerUsageStore,
    OutboxSignal,
    SecretResealer,
    UnitsOfWork,
    UniqueNames,
    Database,
    DatabaseSizeReader,
    DatabaseClock,
    Leases,
    Sharder,
  ],
})
export class DataModule {}
