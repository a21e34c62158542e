/** The most documents of a collection with which the embedded server was measured; see docs/scaling.md. */
export const MEASURED_DOCUMENTS: Readonly<Record<string, number>> = {
  products: 63_000,
  subscriptions: 100_000,
};
