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
import { TemplateValueRemover, lastPossibleWrite } from './template-value-remover.js';
import type { CreateTemplateBody, UpdateTemplateBody } from './templates.bodies.js';

const DAY_MS = 86_400_000;
/** The default range of a list, in days before and after now. */
const LISTED_DAYS = 15;

/** Templates of a company: the additional attributes of its products. */
@Injectable()
export class Templates {
  constructor(
    private readonly store: TemplateStore,
    private readonly values: TemplateValueRemover,
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

  /** Also removes the template's values from all products: at once as far as time allows, the rest by the sweep. */
  async delete(caller: Caller, id: string): Promise<TemplateRecord> {
    const template = await retryOnConflict(async () => {
      const now = this.clock.now();
      const before = await this.store.in(caller.company).get(id);
      const work = this.units.begin(caller.company, now);
      const unset_until = lastPossibleWrite(now);
      const after = work.update(this.store, before, { deleted: true, unset_until });
      this.names.release(work, 'template', before.model);
      await work.commit();
      return after;
    });
    await this.values.remove(template);
    return template;
  }
}

function modelTaken(): Fault {
  return fieldFault('model', 'This model already has a template', 'template.model_taken');
}
