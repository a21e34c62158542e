import mongoose, { type mongo } from 'mongoose';

/** Connects to the database with the settings of the service's own connection. */
export function connect(uri: string): Promise<mongo.MongoClient> {
  const durable = {
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
  } as const;
  return new mongoose.mongo.MongoClient(uri, { ...durable, maxPoolSize: 50 }).connect();
}
