import { Injectable } from '@nestjs/common';
import { UnitsOfWork, groupByCompany, inBatches, walkById, type RecordStore } from '@commerce/data';
import { hydrate, type Id, type OwnedRecord } from '@commerce/records';

import { couponTexts } from '../coupons/coupon.rules.js';
import { CouponStore } from '../coupons/coupon.store.js';
import { productTexts } from '../products/product.rules.js';
import { ProductStore } from '../products/product.store.js';
import { resourceTexts } from '../resources/resource.rules.js';
import { ResourceStore } from '../resources/resource.store.js';
import { SearchTextStore, type SearchedRecord } from '../search/search-text.store.js';
import type { Searched } from '../search/searched.js';

/** Number of records compared, and at most written, in one commit. */
const BATCH = 100;

/** The source of the texts of one kind of record. */
interface Source<R extends OwnedRecord> {
  readonly kind: Searched;
  readonly store: RecordStore<R>;
  readonly fields: Readonly<Record<string, 1>>;
  readonly textsOf: (record: R) => string[];
}

/** Number of records of a kind that were checked, and of those that searches would not have found. */
export interface RebuiltSearch {
  readonly looked: number;
  readonly written: number;
}

/**
 * Writes the search texts of records that have none, or others than their own. It may be stopped and rerun at any time,
 * beside running processes: correct texts are unchanged.
 */
@Injectable()
export class SearchRebuilder {
  constructor(
    private readonly coupons: CouponStore,
    private readonly products: ProductStore,
    private readonly resources: ResourceStore,
    private readonly texts: SearchTextStore,
    private readonly units: UnitsOfWork,
  ) {}

  /** @param onRecords receives the number of checked records of a kind */
  async rebuild(
    onRecords: (looked: number, kind: Searched) => void,
  ): Promise<Record<Searched, RebuiltSearch>> {
    // One entry of the audit log for each company.
    const noted = new Set<string>();
    const run = <R extends OwnedRecord>(source: Source<R>): Promise<RebuiltSearch> =>
      this.ofKind(source, noted, (looked) => onRecords(looked, source.kind));
    return {
      coupon: await run({
        kind: 'coupon',
        store: this.coupons,
        fields: { company: 1, code: 1, name: 1 },
        textsOf: couponTexts,
      }),
      product: await run({
        kind: 'product',
        store: this.products,
        fields: { company: 1, name: 1, description: 1 },
        textsOf: productTexts,
      }),
      resource: await run({
        kind: 'resource',
        store: this.resources,
        fields: { company: 1, name: 1, reference_id: 1, description: 1, image: 1 },
        textsOf: resourceTexts,
      }),
    };
  }

  private async ofKind<R extends OwnedRecord>(
    source: Source<R>,
    noted: Set<string>,
    onRecords: (looked: number) => void,
  ): Promise<RebuiltSearch> {
    const { store, fields } = source;
    let [looked, written] = [0, 0];
    for await (const batch of inBatches(walkById(store.model.collection, fields), BATCH)) {
      const records = batch.map((row) => hydrate(store.type, row));
      for (const [company, group] of groupByCompany(records)) {
        const stale = await this.texts.stale(company, source.kind, group.map(searchedBy(source)));
        if (stale.length === 0) continue;
        await this.write(source, company, stale, !noted.has(company.toHexString()));
        noted.add(company.toHexString());
        written += stale.length;
      }
      looked += batch.length;
      onRecords(looked);
    }
    return { looked, written };
  }

  private async write<R extends OwnedRecord>(
    source: Source<R>,
    company: Id,
    ids: readonly Id[],
    isFirst: boolean,
  ): Promise<void> {
    const { store, kind, fields } = source;
    await this.units.write(company, (work) => {
      if (isFirst) work.note('performed', 'company', company);
      this.texts.rewrite(work, kind, async (session) => {
        const found = store.model.collection.find(
          store.engine.ofCompany(company, { _id: { $in: [...ids] } }),
          { projection: fields, session },
        );
        const rows = await found.toArray();
        return rows.map((row) => hydrate(store.type, row)).map(searchedBy(source));
      });
    });
  }
}

function searchedBy<R extends OwnedRecord>({ textsOf }: Source<R>): (record: R) => SearchedRecord {
  return (record) => ({ _id: record._id, texts: textsOf(record) });
}
