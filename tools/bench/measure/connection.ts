import type { mongo } from 'mongoose';

/** How a bare side speaks to the database: as the service's own connection does. */
export const CONNECTION: mongo.MongoClientOptions = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  retryWrites: true,
  maxPoolSize: 50,
};
