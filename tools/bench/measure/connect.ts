import mongoose, { type mongo } from 'mongoose';

/** The options of the service's transactions. */
export const DURABLE = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
} as const;

/** Connects to the database with the settings of the service's own connection. */
export function connect(uri: string): Promise<mongo.MongoClient> {
  const durable = {
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
  } as const;
  return new mongoose.mongo.MongoClient(uri, { ...durable, maxPoolSize: 50 }).connect();
}

/** A variable of the stack, or one that the benchmark has set for this server. */
export function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this script is run by npm run bench`);
  return value;
}
