import type { DynamicModule } from '@nestjs/common';
import { InjectModel, MongooseModule } from '@nestjs/mongoose';
import type { Model } from 'mongoose';

import { schemaOf, type RecordType } from './record.js';

/** Makes the models of these records injectable into their stores. */
export function recordModels(...types: readonly RecordType[]): DynamicModule {
  return MongooseModule.forFeature(types.map((type) => ({ name: type.name, schema: schemaOf(type) })));
}

/** Injects the model of a record; only stores do. */
export function InjectRecord(type: RecordType): ParameterDecorator {
  return InjectModel(type.name);
}

/** The raw material of a store. Documents are read lean and written through the driver, so its type carries little. */
// oxlint-disable-next-line typescript/no-explicit-any -- the document's type is the store's to give
export type RecordModel = Model<any>;
