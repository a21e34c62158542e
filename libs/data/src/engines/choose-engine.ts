import type { Connection } from 'mongoose';

import { EmbeddedEngine } from './embedded/embedded-engine.js';
import type { Engine, EngineName } from '../reading/engine.js';
import { MongodbEngine } from './mongodb/mongodb-engine.js';

const MAKERS: Readonly<Record<EngineName, () => Engine>> = {
  mongodb: () => new MongodbEngine(),
  embedded: () => new EmbeddedEngine(),
};

/** The engine for a server, by its `buildInfo`, unless a setting names one. */
export async function chooseEngine(connection: Connection, named: EngineName | null): Promise<Engine> {
  return MAKERS[named ?? (await engineNameOf(connection))]();
}

async function engineNameOf(connection: Connection): Promise<EngineName> {
  const info = await connection.db?.admin().command({ buildInfo: 1 });
  return info?.['secantusVersion'] === undefined ? 'mongodb' : 'embedded';
}
