/** Matches a cell that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const NEEDS_QUOTES = /[",\r\n]/;

/** Tells spreadsheets that the file is UTF-8. */
export const CSV_MARK = '\u{feff}';

/** One line of a file with comma-separated values, by RFC 4180. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** The given fields of a record, as a line. */
export function csvRow(record: object, fields: readonly string[]): string {
  const values = record as Readonly<Record<string, unknown>>;
  return csvLine(fields.map((field) => values[field]));
}

/**
 * A value as a cell. Texts that begin like a formula get an apostrophe, since customers may have chosen them; numbers
 * of the service stay numbers, also below 0.
 */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text =
    value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
