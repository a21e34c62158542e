import type { Connection } from 'mongoose';

import { EmbeddedEngine } from './embedded/embedded-engine.js';
import type { Engine, EngineName } from '../reading/engine.js';
import { MongodbEngine } from './mongodb/mongodb-engine.js';

/** The engine for a server, by its `buildInfo`, unless a setting names one. */
export async function chooseEngine(connection: Connection, named: EngineName | null): Promise<Engine> {
  const name = named ?? (await engineNameOf(connection));
  return name === 'embedded' ? new EmbeddedEngine() : new MongodbEngine(await isSharded(connection));
}

async function isSharded(connection: Connection): Promise<boolean> {
  const hello = await connection.db?.admin().command({ hello: 1 });
  return hello !== undefined && isMongos(hello);
}

/** DocumentDB also introduces itself as a mongos, but without the version of its topology. */
export function isMongos({ msg, topologyVersion }: { msg?: unknown; topologyVersion?: unknown }): boolean {
  return msg === 'isdbgrid' && topologyVersion !== undefined;
}

async function engineNameOf(connection: Connection): Promise<EngineName> {
  const info = await connection.db?.admin().command({ buildInfo: 1 });
  return info?.['secantusVersion'] === undefined ? 'mongodb' : 'embedded';
}
