import mongoose, { type mongo } from 'mongoose';

const writeConcern = { w: 'majority', journal: true } as const;

/** Connects to the database with the settings of the service's own connection. */
export function connect(uri: string): Promise<mongo.MongoClient> {
  const readConcern = { level: 'majority' } as const;
  return new mongoose.mongo.MongoClient(uri, { writeConcern, readConcern, maxPoolSize: 50 }).connect();
}

/** Runs a transaction with the options of the service's own. */
export function commit(
  client: mongo.MongoClient,
  work: (session: mongo.ClientSession) => Promise<void>,
): Promise<void> {
  const options = { readConcern: { level: 'snapshot' }, writeConcern } as const;
  return client.withSession((session) => session.withTransaction(() => work(session), options));
}

/** A variable of the stack, or one that the benchmark has set for this server. */
export function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this script is run by npm run bench`);
  return value;
}
