import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Fault } from '@commerce/kernel';
import type { Collection, Connection } from 'mongoose';

import type { UnitOfWork } from './unit-of-work.js';

interface TakenName {
  /** Company, kind and name. */
  readonly _id: string;
}

/**
 * Names that are unique in a company and free again when their record gives them up. Each is a document of its own,
 * inserted and removed in the commit of its record. A partial unique index on the records would do the same, but
 * some servers, among them the embedded one of `npm start`, only free a unique value when its document is removed,
 * not when it changes.
 */
@Injectable()
export class TakenNames {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Takes a name; the commit fails with `fault` when it is taken. */
  take(work: UnitOfWork, kind: string, name: string, fault: Fault): void {
    work.also(async (session) => {
      try {
        await this.names.insertOne({ _id: idOf(work, kind, name) }, { session });
      } catch (error) {
        throw (error as { code?: unknown }).code === 11000 ? fault : error;
      }
    });
  }

  release(work: UnitOfWork, kind: string, name: string): void {
    work.also(async (session) => {
      await this.names.deleteOne({ _id: idOf(work, kind, name) }, { session });
    });
  }

  private get names(): Collection<TakenName> {
    return this.connection.collection<TakenName>('taken_names');
  }
}

function idOf(work: UnitOfWork, kind: string, name: string): string {
  return `${work.company.toHexString()}/${kind}/${name}`;
}
