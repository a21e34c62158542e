import type { Connection } from 'mongoose';

import type { Id } from '@commerce/records';
import type { RecordModel } from '@commerce/records';
import type { Filter, PageQuery } from '@commerce/records';
import type { OwnedRecord, RecordType } from '@commerce/records';

export const ENGINES = ['mongodb', 'embedded'] as const;
export type EngineName = (typeof ENGINES)[number];

/** The statements that MongoDB and the embedded server have to be given in different forms to answer them quickly. */
export interface Engine {
  readonly name: EngineName;
  /** Whether the server is a mongos, which finds the shard of a statement by the company that it names. */
  readonly isSharded: boolean;
  /** The documents of a collection up to which the server is known to serve; null where there is no such bound. */
  readonly measured: Readonly<Record<string, number>> | null;
  /** The filter for the document with this id, or with one of several ids (`{$in}`), that meets the conditions. */
  withId(id: unknown, conditions: Filter): Filter;
  /** The filter for those of a company's documents that meet the conditions. */
  ofCompany(company: Id, conditions: Filter): Filter;
  /** Reads the sorted lists of one kind of record. */
  listReader(model: RecordModel, type: RecordType): ListReader;
  /** Reads lists by distance; null where the server's own index serves them. */
  placeReader(model: RecordModel): PlaceReader | null;
}

/** A document and its distance from a place, in metres. */
export interface PlacedId {
  readonly _id: Id;
  readonly away: number;
}

/** The order of documents by distance. */
export function byDistance(one: PlacedId, other: PlacedId): number {
  return one.away - other.away || Buffer.compare(one._id.id, other._id.id);
}

/** How documents are compared with a place. */
export interface PlaceQuery {
  readonly fields: readonly string[];
  /** The distance of a document with these fields; null where it is not meant. */
  readonly awayOf: (document: Record<string, unknown>) => number | null;
}

/** Reads lists by distance. */
export interface PlaceReader {
  /** The company's documents that match the filter, the nearest first. */
  nearest(company: Id, filter: Filter, query: PlaceQuery): Promise<PlacedId[]>;
}

/** Reads pages of sorted lists. */
export interface ListReader {
  /**
   * The documents of a page, and one more if the list goes on.
   * @param filter names the company
   * @param last the record that the page follows; null if the page is counted from the beginning
   */
  read(filter: Filter, query: PageQuery, last: OwnedRecord | null): Promise<Record<string, unknown>[]>;
}

const engines = new WeakMap<Connection, Engine>();

/** Assigns its engine to a connection, once, when it is opened. */
export function useEngine(connection: Connection, engine: Engine): void {
  engines.set(connection, engine);
}

/** The engine that was chosen when the connection was opened. */
export function engineOf(connection: Connection): Engine {
  const engine = engines.get(connection);
  if (engine === undefined) throw new Error('no engine was chosen for this connection');
  return engine;
}
