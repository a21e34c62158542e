import { Types } from 'mongoose';

import type { Id } from '@commerce/records';

/** A company and how many documents it has. */
export interface CompanySize {
  readonly company: Id;
  readonly documents: number;
}

/** The companies from `from` up to the next range, and the shard of their documents. */
export interface CompanyRange {
  /** Null: from the lowest id. */
  readonly from: Id | null;
  readonly shard: string;
}

/** Ids of companies to come, assumed for each shard; together they weigh a twentieth of the documents. */
const EXPECTED_PER_SHARD = 32;
const EXPECTED_SHARE = 0.05;

const ID_HEX = 24;
const ALL_IDS = 16n ** BigInt(ID_HEX);

/**
 * Divides the companies, in the order of their ids, into one range for each shard, so that the largest range has as few
 * documents as possible. The ids of companies to come are random, so they count, evenly spread; without any company the
 * ranges are equal.
 */
export function companyRanges(shards: readonly string[], companies: readonly CompanySize[]): CompanyRange[] {
  const points = pointsOf(companies, shards.length);
  const starts = rangesWithin(leastMost(points, shards.length), points, shards.length);
  return shards.map((shard, index) => ({
    from: index === 0 ? null : (points[starts[index] ?? 0]?.company ?? null),
    shard,
  }));
}

/** The least number of documents that the largest of so many ranges has, to one document. */
function leastMost(points: readonly CompanySize[], count: number): number {
  let [low, high] = [0, points.reduce((sum, { documents }) => sum + documents, 0)];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (rangesWithin(middle, points, count).length > count) low = middle;
    else high = middle;
  }
  return high;
}

/** Where ranges of at most `most` documents begin; at least `count` of them, each with one point or more. */
function rangesWithin(most: number, points: readonly CompanySize[], count: number): number[] {
  const starts = [0];
  let filled = 0;
  for (const [index, { documents }] of points.entries()) {
    const isFull = filled > 0 && filled + documents > most;
    const isNeeded = points.length - index === count - starts.length;
    if (isFull || isNeeded) {
      starts.push(index);
      filled = 0;
    }
    filled += documents;
  }
  return starts;
}

/** The companies, and those to come, in the order of their ids. */
function pointsOf(companies: readonly CompanySize[], shards: number): CompanySize[] {
  const count = EXPECTED_PER_SHARD * shards;
  const total = companies.reduce((sum, { documents }) => sum + documents, 0);
  const documents = Math.max(1, (total * EXPECTED_SHARE) / count);
  const expected = Array.from({ length: count }, (_, index) => ({
    company: idAtPart(index, count),
    documents,
  }));
  return [...companies, ...expected].sort((a, b) =>
    a.company.toHexString() < b.company.toHexString() ? -1 : 1,
  );
}

/** The id at this part of the space of all ids. */
function idAtPart(part: number, of: number): Id {
  return new Types.ObjectId(((ALL_IDS * BigInt(part)) / BigInt(of)).toString(16).padStart(ID_HEX, '0'));
}
