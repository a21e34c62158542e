/** `{...L, ...R}` of one pair; a field that R may lack keeps the type of L as well. */
type Spread<L, R> = R extends unknown
  ? Omit<L, keyof R> &
      Omit<R, keyof L> & {
        [K in keyof L & keyof R]: undefined extends R[K] ? L[K] | Exclude<R[K], undefined> : R[K];
      }
  : never;

type Joined<T extends readonly object[]> = T extends readonly [infer Only]
  ? Only
  : T extends readonly [...infer Start extends readonly object[], infer Last]
    ? Spread<Joined<Start>, Last>
    : never;

/**
 * The fields of all parts in a new object; a later part wins. It equals a literal of spreads, which V8 makes fifty times
 * slower once it has more than a dozen fields: each further field changes the shape of the object.
 */
export function joinFields<T extends readonly [object, ...object[]]>(...parts: T): Joined<T> {
  return addFields({}, ...parts) as Joined<T>;
}

/** Sets the fields of all parts on an object, as `Object.assign`, and as quickly as `joinFields`. */
export function addFields<T extends object>(target: T, ...parts: readonly object[]): T {
  const fields = target as Record<string, unknown>;
  for (const part of parts) {
    const values = part as Record<string, unknown>;
    for (const name of Object.keys(values)) fields[name] = values[name];
  }
  return target;
}
