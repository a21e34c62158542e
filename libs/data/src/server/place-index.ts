import type { mongo } from 'mongoose';

/** Whether a server refuses an index of a place behind other fields: DocumentDB indexes places by themselves. */
export function refusesCompoundPlaces(error: unknown): boolean {
  return error instanceof Error && /2dsphere indexes are not supported/.test(error.message);
}

/** The index without the fields before its place; any other index unchanged. */
export function placeAlone(index: mongo.IndexDescription): mongo.IndexDescription {
  const place = Object.entries(index.key).filter(([, kind]) => kind === '2dsphere');
  if (place.length === 0) return index;
  const alone = { ...index, key: Object.fromEntries(place) };
  Reflect.deleteProperty(alone, 'name');
  return alone;
}
