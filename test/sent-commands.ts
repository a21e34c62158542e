import { newId } from '@commerce/records';
import { mongo, type Connection } from 'mongoose';

import { withOption } from './mongodb-uri.js';

/** Enables command monitoring on all further connections. */
export function watchCommands(): void {
  process.env['MONGODB_URI'] = withOption(process.env['MONGODB_URI'] ?? '', 'monitorCommands=true');
}

/** The commands that this connection sends while `work` runs, in order, without monitoring commands. */
export async function commandsOf(
  connection: Connection,
  work: () => Promise<unknown>,
): Promise<mongo.CommandStartedEvent[]> {
  const sent: mongo.CommandStartedEvent[] = [];
  const note = (event: mongo.CommandStartedEvent): void => {
    if (event.commandName !== 'hello' && event.commandName !== 'ping') sent.push(event);
  };
  const client = connection.getClient();
  client.on('commandStarted', note);
  await work();
  client.off('commandStarted', note);
  return sent;
}

/** Whether the server makes writes to several collections by one command, as MongoDB does since 8.0. */
export async function takesBulkWrite(connection: Connection): Promise<boolean> {
  const namespace = `${connection.name}.none`;
  try {
    await connection.getClient().bulkWrite([{ name: 'deleteOne', namespace, filter: { _id: newId() } }]);
    return true;
  } catch (error) {
    if (error instanceof mongo.MongoClientBulkWriteError) return false;
    throw error;
  }
}
