import type { Id } from '@commerce/records';
import { LRUCache } from 'lru-cache';

import type { GeoPoint } from './product-query.js';
import { MAX_DISTANCE_M } from './product.record.js';

/** MongoDB's radius of the earth, in metres. */
const EARTH_M = 6_378_100;
const SMALLEST_M = 1000;
const GROWTH = 8;
const REMEMBERED = 1000;

/** The radii of the expanding rings of a search for products, in metres. */
export class ExpandingRings {
  private readonly enough = new LRUCache<string, number>({ max: REMEMBERED });

  /** The radii from the one that sufficed for the company last time, up to the whole earth. */
  *from(company: Id): Generator<number> {
    const first = this.enough.get(company.toHexString()) ?? SMALLEST_M;
    for (let radius = first; radius < MAX_DISTANCE_M; radius *= GROWTH) yield radius;
    yield MAX_DISTANCE_M;
  }

  /** Starts the next search somewhat closer, so that it follows products that come nearer. */
  learn(company: Id, radius: number): void {
    this.enough.set(company.toHexString(), Math.max(SMALLEST_M, radius / 2));
  }
}

/** The distance between two places on earth, in metres. */
export function metresBetween(one: GeoPoint, other: GeoPoint): number {
  const [a, b] = [radians(one.latitude), radians(other.latitude)];
  const across = Math.sin((b - a) / 2) ** 2;
  const along = Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(across + Math.cos(a) * Math.cos(b) * along)));
}

/** The length of the straight line through the earth between two places that are this far from each other. */
export function straightLine(metres: number): number {
  return 2 * EARTH_M * Math.sin(Math.min(Math.PI / 2, metres / (2 * EARTH_M)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
