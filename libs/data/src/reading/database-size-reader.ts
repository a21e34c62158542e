import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { engineOf } from './engine.js';

/** A collection with more documents than its server is known to serve. */
export interface Oversized {
  readonly collection: string;
  readonly count: number;
  readonly measured: number;
}

/** Compares the size of the database with the one up to which its server was measured. */
@Injectable()
export class DatabaseSizeReader {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async oversized(): Promise<Oversized[]> {
    const found: Oversized[] = [];
    for (const [collection, measured] of Object.entries(engineOf(this.connection).measured ?? {})) {
      const count = await this.connection.collection(collection).estimatedDocumentCount();
      if (count > measured) found.push({ collection, count, measured });
    }
    return found;
  }
}
