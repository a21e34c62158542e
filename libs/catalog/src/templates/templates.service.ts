import { Injectable } from '@nestjs/common';
import { fieldFault, type Fault } from '@commerce/kernel';
import {
  SystemClock,
  TakenNames,
  UnitsOfWork,
  retryOnConflict,
  makeRecord,
  readPage,
  type Caller,
  type Page,
  type RawQuery,
} from '@commerce/platform';

import { TemplateRecord } from './template.record.js';
import { changedAttributes, newAttributes } from './template.rules.js';
import { TemplateStore } from './template.store.js';
import { TemplateValues, lastWriteOf } from './template-values.service.js';
import type { CreateTemplateBody, UpdateTemplateBody } from './templates.bodies.js';

const DAY_MS = 86_400_000;
/** How far a list looks back and ahead when its query does not say. */
const LISTED_DAYS = 15;

/** The further attributes of a company's products. */
@Injectable()
export class Templates {
  constructor(
    private readonly store: TemplateStore,
    private readonly values: TemplateValues,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
    private readonly names: TakenNames,
  ) {}

  async create({ company }: Pick<Caller, 'company'>, body: CreateTemplateBody): Promise<TemplateRecord> {
    const now = this.clock.now();
    const values = {
      ...body,
      company,
      attributes: newAttributes(body.attributes),
    };
    const work = this.units.begin(company, now);
    this.names.take(work, 'template', body.model, modelTaken());
    const template = work.insert(this.store, makeRecord(TemplateRecord, values, now));
    await work.commit();
    return template;
  }

  async get(caller: Caller, id: string): Promise<TemplateRecord> {
    return this.store.in(caller.company).get(id, { deleted: caller.role === 'admin' });
  }

  async list(caller: Caller, raw: RawQuery): Promise<Page<TemplateRecord>> {
    const now = this.clock.now().getTime();
    const around = {
      from_date: String(now - LISTED_DAYS * DAY_MS),
      to_date: String(now + LISTED_DAYS * DAY_MS),
    };
    const query = readPage(
      { ...around, ...raw },
      { sortable: ['created', 'modified', 'name'], dates: { created: 'created', modified: 'modified' } },
    );
    return this.store.in(caller.company).page({ ...query, filter: { ...query.filter, deleted: false } });
  }

  async update(caller: Caller, id: string, body: UpdateTemplateBody): Promise<TemplateRecord> {
    return retryOnConflict(async () => {
      const before = await this.store.in(caller.company).get(id);
      const { attributes, ...changes } = body;
      const work = this.units.begin(caller.company, this.clock.now());
      const after = work.update(this.store, before, {
        ...changes,
        ...(attributes === undefined ? {} : { attributes: changedAttributes(before.attributes, attributes) }),
      });
      await work.commit();
      return after;
    });
  }

  /** Takes the template's values off all products, too: at once as far as possible, the rest by the sweep. */
  async delete(caller: Caller, id: string): Promise<TemplateRecord> {
    const template = await retryOnConflict(async () => {
      const now = this.clock.now();
      const before = await this.store.in(caller.company).get(id);
      const work = this.units.begin(caller.company, now);
      const unset_until = lastWriteOf(now);
      const after = work.update(this.store, before, { deleted: true, unset_until });
      this.names.release(work, 'template', before.model);
      await work.commit();
      return after;
    });
    await this.values.unset(template);
    return template;
  }
}

function modelTaken(): Fault {
  return fieldFault('model', 'This model has a template already', 'template.model_taken');
}
