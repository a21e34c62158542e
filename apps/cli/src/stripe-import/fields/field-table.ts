/** Why a field cannot change an amount, a date, a card or a tax. */
interface Ignored {
  readonly ignored: string;
}

/** Why a subscription stays at Stripe where the field is set: a predicate, such as "has tiers". */
interface Refused {
  readonly refused: string;
  readonly when: (value: unknown) => boolean;
}

/** An object whose fields have a table of their own. */
interface Inside {
  readonly inside: FieldTable;
}

/** What an import makes of a field: `read` has a rule in the code. */
export type Meaning = 'read' | Ignored | Refused | Inside;

/** The meaning of each field of an object in Stripe's API, those of older versions included. */
export type FieldTable = Readonly<Record<string, Meaning>>;

export function ignored(why: string): Ignored {
  return { ignored: why };
}

/** Refused where the value is set, or where `when` holds. */
export function refused(why: string, when: (value: unknown) => boolean = isSet): Refused {
  return { refused: why, when };
}

export function inside(table: FieldTable): Inside {
  return { inside: table };
}

/** The value is anything but one of these, and set. */
export function isOther(...values: readonly unknown[]): (value: unknown) => boolean {
  return (value) => isSet(value) && !values.includes(value);
}

/** A field with null, false, 0, or an empty text, list or object has no effect. */
export function isSet(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return Object.keys(value).length > 0;
}

/**
 * The fields of an object that are set and not understood, as sentences with this subject. A field that the table does
 * not name is one of them.
 */
export function refusalsOf(table: FieldTable, object: object, subject: string, path = ''): string[] {
  return Object.entries(object as Readonly<Record<string, unknown>>).flatMap(([field, value]) => {
    const meaning = table[field];
    const name = `${path}${field}`;
    if (meaning === undefined)
      return isSet(value) ? [`${subject} has a field that is not understood: ${name}`] : [];
    if (meaning === 'read' || 'ignored' in meaning) return [];
    if ('refused' in meaning) return meaning.when(value) ? [`${subject} ${meaning.refused}`] : [];
    const isObject = typeof value === 'object' && value !== null;
    return isObject ? refusalsOf(meaning.inside, value, subject, `${name}.`) : [];
  });
}
