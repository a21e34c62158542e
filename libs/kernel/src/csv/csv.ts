import Papa from 'papaparse';

/** Matches a text that a spreadsheet would run as a formula, in full-width signs too. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

const FORMAT = { newline: '\r\n', escapeFormulae: FORMULA } as const;

/** Tells spreadsheets that a file is UTF-8; it begins the file. */
export const CSV_MARK = '\u{feff}';

/**
 * One row of a CSV file by RFC 4180, its line end included: every CSV that the service writes consists of these. Texts
 * that begin like a formula get an apostrophe, since customers may have chosen them; numbers stay numbers.
 */
export function csvRow(values: readonly unknown[]): string {
  return `${Papa.unparse([values.map(cell)], FORMAT)}${FORMAT.newline}`;
}

function cell(value: unknown): unknown {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
