const DUPLICATE_KEY = 11000;

/** A unique index, by its name and its fields. */
export interface UniqueIndex {
  readonly name: string;
  readonly fields: readonly string[];
}

/** Whether the server refused a write because a unique value is taken. */
export function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === DUPLICATE_KEY;
}

/**
 * Whether a duplicate was found by this index. mongos and DocumentDB do not report the fields of the index, only its
 * name in the message.
 */
export function isDuplicateOf(error: unknown, { name, fields }: UniqueIndex): boolean {
  const { keyPattern, message = '' } = error as { keyPattern?: object; message?: string };
  if (keyPattern !== undefined) return Object.keys(keyPattern).join() === fields.join();
  return /\bindex:? '?([^\s']+)/i.exec(message)?.[1] === name;
}
