import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Fault } from '@commerce/kernel';
import type { Collection, Connection } from 'mongoose';

import type { UnitOfWork } from './unit-of-work.js';

interface TakenName {
  /** Company, kind and name: what is unique. */
  readonly _id: string;
}

/**
 * Names of which a company can give each to one record only, and again when that record lets it go. Each is a
 * document of its own, made and removed in the commit of its record. A partial unique index on the records would
 * say the same, but there are servers, the one that `npm start` brings along among them, whose unique indexes let
 * go of a value when its document is removed, not when it is changed.
 */
@Injectable()
export class TakenNames {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Takes a name; the commit fails with `fault` when somebody has it. */
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
