/** All that a document shows, in words and order: what HTML and PDF have in common. Its texts are plain, not markup. */
export interface DocumentView {
  /** BCP 47 language. */
  readonly language: string;
  readonly title: string;
  readonly number: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly seller: PartyView;
  readonly buyer_label: string;
  readonly buyer: PartyView;
  readonly facts: readonly Fact[];
  readonly columns: LineColumns;
  readonly lines: readonly LineView[];
  readonly tax_columns: TaxColumns;
  readonly taxes: readonly TaxView[];
  /** Why no VAT, or another party's, is due. */
  readonly tax_notes: readonly string[];
  readonly totals: readonly TotalView[];
  /** The seller's own text; null where there is none. */
  readonly footer: string | null;
  /** `{page}` and `{pages}` stand for the numbers. */
  readonly page: string;
}

export interface PartyView {
  readonly name: string;
  readonly address: readonly string[];
  readonly facts: readonly Fact[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface LineColumns {
  readonly description: string;
  readonly quantity: string;
  readonly unit_price: string;
  readonly tax_rate: string;
  readonly amount: string;
  /** Below the heads of both columns of prices. */
  readonly prices: string;
}

export interface LineView {
  readonly description: string;
  /** Further texts of the line, such as its period or its discount. */
  readonly notes: readonly string[];
  readonly quantity: string;
  readonly unit_price: string;
  readonly tax_rate: string;
  readonly amount: string;
}

export interface TaxColumns {
  readonly rate: string;
  readonly net: string;
  readonly tax: string;
  readonly gross: string;
}

export interface TaxView {
  readonly rate: string;
  readonly net: string;
  readonly tax: string;
  readonly gross: string;
}

export interface TotalView {
  readonly label: string;
  readonly value: string;
  readonly weight: 'plain' | 'sum' | 'due';
}
