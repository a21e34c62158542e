import { Injectable } from '@nestjs/common';
import { Fault, fault, type FieldError } from '@commerce/kernel';
import {
  SystemClock,
  UnitsOfWork,
  retryOnConflict,
  makeRecord,
  ownerOnly,
  sameId,
  type Caller,
  type Page,
  type PageQuery,
  type RawQuery,
} from '@commerce/platform';

import { searchable } from '../search/search-grams.js';
import { matching, readSearch } from '../search/search-query.js';
import { readResourceQuery, readResourceSearch } from './resource-query.js';
import { ResourceReferenceReader } from './resource-reference-reader.js';
import { ResourceRecord, shown } from './resource.record.js';
import { changesOf, type ResourceChanges } from './resource.rules.js';
import { ResourceStore } from './resource.store.js';
import { errorsAt, readBulk, type CreateResourceBody, type UpdateResourceBody } from './resources.bodies.js';

/** Resources of a company: reusable assets and retail items. Users see only their own. */
@Injectable()
export class Resources {
  constructor(
    private readonly store: ResourceStore,
    private readonly references: ResourceReferenceReader,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  async create(caller: Caller, body: CreateResourceBody): Promise<ResourceRecord> {
    const given = owned(caller, body);
    const known = await this.references.read(caller.company, [given]);
    const judged = changesOf(caller, created(given), given, known);
    refuse(judged.errors);
    const [resource] = await this.insert(caller, [judged]);
    if (resource === undefined) throw new Error('a resource was not created');
    return resource;
  }

  /** Creates all of them or, when anything is wrong with any item, none. */
  async createMany(caller: Caller, input: unknown): Promise<ResourceRecord[]> {
    const items = readBulk(input);
    const bodies = items.flatMap(({ body }) => (body ? [body] : []));
    const known = await this.references.read(caller.company, bodies);
    const judged = items.map(({ body, errors }): ResourceChanges =>
      body ? changesOf(caller, created(body), body, known) : { changes: {}, errors },
    );
    refuse(
      judged.flatMap(({ errors }, index) => errorsAt(errors, index)),
      'value.invalid',
    );
    return this.insert(caller, judged);
  }

  async get(caller: Caller, id: string): Promise<ResourceRecord> {
    return shown(await this.load(caller, id, caller.role === 'admin'));
  }

  async list(caller: Caller, raw: RawQuery): Promise<Page<ResourceRecord>> {
    return this.page(caller, readResourceQuery(caller, raw));
  }

  async search(caller: Caller, raw: RawQuery): Promise<Page<ResourceRecord>> {
    const { company } = caller;
    const query = readResourceSearch(caller, raw);
    const found = await matching(this.store.in(company), company, readSearch(raw), { shortIds: true });
    return this.page(caller, query(found));
  }

  async update(caller: Caller, id: string, body: UpdateResourceBody): Promise<ResourceRecord> {
    return retryOnConflict(async () => {
      const before = await this.load(caller, id);
      const { product = before.product } = body;
      const known = await this.references.read(caller.company, [{ ...body, product }]);
      const { changes, errors } = changesOf(caller, before, body, known);
      refuse(errors);
      const work = this.units.begin(caller.company, this.clock.now());
      const after = { ...before, ...changes };
      const searched = searchedOf(after) === searchedOf(before) ? {} : searchable(textsOf(after));
      const resource = work.update(this.store, before, { ...changes, ...searched });
      await work.commit();
      return shown(resource);
    });
  }

  async delete(caller: Caller, id: string): Promise<ResourceRecord> {
    return retryOnConflict(async () => {
      const before = await this.load(caller, id);
      const work = this.units.begin(caller.company, this.clock.now());
      const after = work.update(this.store, before, { deleted: true });
      await work.commit();
      return shown(after);
    });
  }

  private async load(caller: Caller, id: string, deleted = false): Promise<ResourceRecord> {
    const resource = await this.store.in(caller.company).get(id, { deleted });
    const owner = ownerOnly(caller);
    if (owner !== null && !sameId(resource.user, owner)) {
      throw fault('resource.not_found', 'There is no resource with this id');
    }
    return resource;
  }

  private async page({ company }: Caller, query: PageQuery): Promise<Page<ResourceRecord>> {
    const page = await this.store.in(company).page(query);
    return { ...page, records: page.records.map(shown) };
  }

  /** Writes new resources in one commit. */
  private async insert(caller: Caller, all: readonly ResourceChanges[]): Promise<ResourceRecord[]> {
    const { company } = caller;
    return retryOnConflict(async () => {
      const now = this.clock.now();
      const work = this.units.begin(company, now);
      const resources = all.map(({ changes }) => {
        const resource = makeRecord(ResourceRecord, { ...changes, company }, now);
        if (resource.method === 'retail') resource._cls = 'Resource.Retail';
        Object.assign(resource, searchable(textsOf(resource)));
        return work.insert(this.store, resource);
      });
      await work.commit();
      return resources.map(shown);
    });
  }
}

/** What users create belongs to them, even when the body does not say so. */
function owned(caller: Caller, body: CreateResourceBody): CreateResourceBody {
  return { ...body, user: body.user ?? caller.user };
}

/** The state that creation starts from. */
function created({ method }: CreateResourceBody): Pick<ResourceRecord, 'method' | 'status' | 'product'> {
  return { method, status: 'CREATED', product: null };
}

function textsOf(resource: ResourceRecord): string[] {
  const { name, reference_id, description, image } = resource;
  return [name, reference_id ?? '', description, image?.url ?? ''];
}

function searchedOf(resource: ResourceRecord): string {
  return searchable(textsOf(resource)).search_text;
}

function refuse(errors: readonly FieldError[], code = errors[0]?.code): void {
  if (errors[0]) throw new Fault(code ?? 'value.invalid', errors[0].message, { errors });
}
