type Values = Record<string, unknown>;

/** One row of a collection that holds no records, written in the commit of those it belongs to. */
export interface RowWrite {
  readonly collection: string;
  readonly operation:
    | { readonly insertOne: { readonly document: object } }
    | { readonly updateOne: { readonly filter: Values; readonly update: Values } }
    | {
        readonly replaceOne: { readonly filter: Values; readonly replacement: Values; readonly upsert: true };
      }
    | { readonly deleteOne: { readonly filter: Values } };
  /** Fails the commit where an update finds nothing. */
  readonly missing?: () => Error;
  /** Fails the commit where an insert meets what is there already. */
  readonly taken?: () => Error;
}
