import { Injectable } from '@nestjs/common';
import { Fault, type FieldError } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { mapInTurns } from '@commerce/platform';
import { makeRecord } from '@commerce/records';

import { SearchReader } from '../search/search-reader.js';
import { SearchTextStore } from '../search/search-text.store.js';
import { resourcePage, type ListResourcesQuery, type SearchResourcesQuery } from './resource-query.js';
import { ResourceReferenceReader } from './resource-reference-reader.js';
import { ResourceRecord, shownResource } from './resource.record.js';
import { changesOf, resourceTexts, type ResourceChanges } from './resource.rules.js';
import { ResourceStore } from './resource.store.js';
import { errorsAt, readBulk, type CreateResourceBody, type UpdateResourceBody } from './resources.dto.js';

/** Resources of a company: reusable assets and retail items. Users see only their own. */
@Injectable()
export class Resources {
  constructor(
    private readonly store: ResourceStore,
    private readonly references: ResourceReferenceReader,
    private readonly texts: SearchTextStore,
    private readonly searches: SearchReader,
    private readonly units: UnitsOfWork,
  ) {}

  async create(caller: Caller, body: CreateResourceBody): Promise<ResourceRecord> {
    const given = owned(caller, body);
    const known = await this.references.read(caller, [given]);
    const judged = changesOf(caller, created(given), given, known);
    refuse(judged.errors);
    const [resource] = await this.insert(caller, [judged]);
    if (resource === undefined) throw new Error('a resource was not created');
    return resource;
  }

  /** Creates all of them or, when any item is invalid, none. */
  async createMany(caller: Caller, input: unknown): Promise<ResourceRecord[]> {
    const items = await readBulk(input);
    const bodies = items.flatMap(({ body }) => (body ? [body] : []));
    const known = await this.references.read(caller, bodies);
    const judged = await mapInTurns(items, ({ body, errors }): ResourceChanges =>
      body ? changesOf(caller, created(body), body, known) : { changes: {}, errors },
    );
    refuse(
      judged.flatMap(({ errors }, index) => errorsAt(errors, index)),
      'value.invalid',
    );
    return this.insert(caller, judged);
  }

  async get(caller: Caller, id: string): Promise<ResourceRecord> {
    return shownResource(await this.store.for(caller).show(id));
  }

  async list(caller: Caller, query: ListResourcesQuery): Promise<Page<ResourceRecord>> {
    return withShown(await this.store.for(caller).page(resourcePage(query)));
  }

  async search(caller: Caller, query: SearchResourcesQuery): Promise<Page<ResourceRecord>> {
    const search = {
      records: this.store.for(caller),
      kind: 'resource',
      asked: query.query,
      shortIds: true,
    } as const;
    return withShown(await this.searches.page(search, resourcePage(query)));
  }

  async update(caller: Caller, id: string, body: UpdateResourceBody): Promise<ResourceRecord> {
    const resource = await this.units.change(this.store.for(caller), id, async (before, work) => {
      const { product = before.product } = body;
      const known = await this.references.read(caller, [{ ...body, product }]);
      const { changes, errors } = changesOf(caller, before, body, known);
      refuse(errors);
      const after = { ...before, ...changes };
      const [texts, old] = [resourceTexts(after), resourceTexts(before)];
      if (texts.join('\0') !== old.join('\0')) this.texts.write(work, 'resource', before._id, texts);
      return { changes };
    });
    return shownResource(resource);
  }

  async delete(caller: Caller, id: string): Promise<ResourceRecord> {
    return shownResource(
      await this.units.change(this.store.for(caller), id, () => ({ changes: { deleted: true } })),
    );
  }

  /** Writes new resources in one commit. */
  private async insert(caller: Caller, all: readonly ResourceChanges[]): Promise<ResourceRecord[]> {
    const { company } = caller;
    return this.units.write(company, async (work) => {
      const resources = await mapInTurns(all, ({ changes }) => {
        const resource = makeRecord(ResourceRecord, { ...changes, company }, work.now);
        if (resource.method === 'retail') resource._cls = 'Resource.Retail';
        this.texts.add(work, 'resource', resource._id, resourceTexts(resource));
        return work.insert(this.store, resource);
      });
      return resources.map(shownResource);
    });
  }
}

/** A resource created by a user belongs to that user, even when the body does not name one. */
function owned(caller: Caller, body: CreateResourceBody): CreateResourceBody {
  return { ...body, user: body.user ?? caller.user };
}

/** The state that creation starts from. */
function created({ method }: CreateResourceBody): Pick<ResourceRecord, 'method' | 'status' | 'product'> {
  return { method, status: 'CREATED', product: null };
}

function withShown(page: Page<ResourceRecord>): Page<ResourceRecord> {
  return { ...page, records: page.records.map(shownResource) };
}

function refuse(errors: readonly FieldError[], code = errors[0]?.code): void {
  if (errors[0]) throw new Fault(code ?? 'value.invalid', errors[0].message, { errors });
}
