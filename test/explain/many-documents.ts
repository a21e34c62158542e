import { newId, type Id } from '@commerce/records';
import { mongo } from 'mongoose';

type Document = Record<string, unknown>;

const COMPANIES = 3;

/**
 * Documents of one collection that equal the samples except for their ids, dates and other unique values:
 * those of several companies, and among them many that share what lists are narrowed to.
 */
export function manyLike(samples: readonly Document[], companies: readonly Id[], count: number): Document[] {
  const patterns = samples.length === 0 ? [{}] : samples;
  return Array.from({ length: count }, (_, index) => {
    const pattern: Document = patterns[index % patterns.length] ?? {};
    const company = companies[index % COMPANIES];
    return {
      ...varied(pattern, index),
      _id: idLike(pattern['_id']),
      ...(pattern['company'] ? { company } : {}),
    };
  });
}

/** New ids are unique; texts that name something get a number of their own; dates and numbers spread. */
function varied(pattern: Document, index: number): Document {
  return Object.fromEntries(
    Object.entries(pattern).map(([name, value]) => [name, variant(name, value, index)]),
  );
}

const NAMING = /^(human_id|period_key|charge_id|intent_id|name|email|code|code_key|object_id)$/;

function variant(name: string, value: unknown, index: number): unknown {
  if (value instanceof mongo.ObjectId) return newId();
  if (value instanceof Date) return new Date(value.getTime() + index * 60_000);
  if (typeof value === 'string') return NAMING.test(name) ? `${value}${String(index)}` : value;
  if (typeof value === 'number' && name !== 'version') return value + (index % 100);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.getPrototypeOf(value) === Object.prototype ? varied(value as Document, index) : value;
}

function idLike(id: unknown): unknown {
  return typeof id === 'string' ? `${newId().toHexString()}/x` : newId();
}
