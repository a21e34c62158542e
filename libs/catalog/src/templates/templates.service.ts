import { Injectable } from '@nestjs/common';
import { DAY_MS, fieldFault, type Fault } from '@commerce/kernel';
import { UniqueNames, UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { SystemClock } from '@commerce/platform';
import { pageOf } from '@commerce/records';

import type { TemplateRecord } from './template.record.js';
import { changedAttributes, newAttributes } from './template.rules.js';
import { TemplateStore } from './template.store.js';
import { TemplateValueRemover, lastPossibleWrite } from './template-value-remover.js';
import type { CreateTemplateBody, ListTemplatesQuery, UpdateTemplateBody } from './templates.dto.js';

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
    private readonly names: UniqueNames,
  ) {}

  async create({ company }: Pick<Caller, 'company'>, body: CreateTemplateBody): Promise<TemplateRecord> {
    const values = { ...body, company, attributes: newAttributes(body.attributes) };
    return this.units.create(this.store, values, {
      also: (work) => this.names.take(work, 'template', body.model, modelTaken()),
    });
  }

  async get(caller: Caller, id: string): Promise<TemplateRecord> {
    return this.store.for(caller).show(id);
  }

  async list(caller: Caller, query: ListTemplatesQuery): Promise<Page<TemplateRecord>> {
    const now = this.clock.now().getTime();
    const from_date = query.from_date ?? new Date(now - LISTED_DAYS * DAY_MS);
    const to_date = query.to_date ?? new Date(now + LISTED_DAYS * DAY_MS);
    return this.store.for(caller).page(pageOf({ ...query, from_date, to_date }, { deleted: false }));
  }

  async update(caller: Caller, id: string, body: UpdateTemplateBody): Promise<TemplateRecord> {
    const { attributes, ...changes } = body;
    return this.units.change(this.store.for(caller), id, (before) => ({
      changes: {
        ...changes,
        ...(attributes === undefined ? {} : { attributes: changedAttributes(before.attributes, attributes) }),
      },
    }));
  }

  /** Deletes a template and its values in all products: as many as time allows immediately, the rest by the sweep. */
  async delete(caller: Caller, id: string): Promise<TemplateRecord> {
    const template = await this.units.change(this.store.for(caller), id, (before, work) => {
      this.names.release(work, 'template', before.model);
      return { changes: { deleted: true, unset_until: lastPossibleWrite(work.now) } };
    });
    await this.values.remove(template);
    return template;
  }
}

function modelTaken(): Fault {
  return fieldFault('model', 'This model already has a template', 'template.model_taken');
}
