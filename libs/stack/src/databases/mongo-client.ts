import mongoose, { type mongo } from 'mongoose';

/** Uses a client of its own for each attempt: one whose first connection has failed never works again. */
export async function withMongo<T>(
  uri: string,
  timeoutMs: number,
  work: (admin: mongo.Db) => Promise<T>,
): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: timeoutMs });
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}
