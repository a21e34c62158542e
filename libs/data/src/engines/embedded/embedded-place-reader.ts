import type { Filter, Id, RecordModel } from '@commerce/records';

import {
  byDistance,
  type Engine,
  type PlaceQuery,
  type PlaceReader,
  type PlacedId,
} from '../../reading/engine.js';
import { MAX_READ_MS } from '../../reading/page.js';
import { findWhole, projectionOn } from '../../reading/read-whole.js';

/** The most documents of a company whose places are compared. */
const MOST = 50_000;

type Document = Record<string, unknown> & { readonly _id: Id };

/**
 * Compares the places of all of a company's documents. The server's index of places holds those of all companies, and a
 * search in it would read what others have nearby.
 */
export class EmbeddedPlaceReader implements PlaceReader {
  constructor(
    private readonly model: RecordModel,
    private readonly engine: Pick<Engine, 'ofCompany'>,
  ) {}

  async nearest(company: Id, filter: Filter, { fields, awayOf }: PlaceQuery): Promise<PlacedId[]> {
    // Nested, so that the server takes an index of the company.
    const asked =
      '_id' in filter ? this.engine.ofCompany(company, filter) : { company, $and: [{ $and: [filter] }] };
    const options = { projection: projectionOn(fields), limit: MOST, maxTimeMS: MAX_READ_MS };
    const found = (await findWhole(this.model.collection, asked, options)) as Document[];
    const placed = found.flatMap((document) => {
      const away = awayOf(document);
      return away === null ? [] : [{ _id: document._id, away }];
    });
    return placed.sort(byDistance);
  }
}
