import { Text, isIdText, parseId, type Id } from '@commerce/records';

/** The text that a search looks for. */
export function SearchText(): PropertyDecorator {
  return Text({ min: 1, max: 128, description: 'part of a text, or a whole id; in any case' });
}

/** The id, or the short id, that the whole query may be. */
export function idsMeant(query: string): { id: Id | null; human_id: string | null } {
  return {
    id: isIdText(query) ? parseId(query) : null,
    human_id: /^[0-9a-z]{6}$/.test(query) ? query.toUpperCase() : null,
  };
}
