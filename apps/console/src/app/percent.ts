const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i;

/**
 * Shifts the decimal point of a number's text: 7.7 and -2 make 0.077. Multiplication would not be exact (0.07 × 100 is
 * 7.000000000000001); a text that is no number stays unchanged.
 */
function movedPoint(text: string, places: number): string {
  const [, sign, whole = '', part = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (sign === undefined || whole + part === '') return text;
  const at = whole.length + Number(exponent) + places;
  const digits = ('0'.repeat(Math.max(0, 1 - at)) + whole + part).padEnd(Math.max(at, 1), '0');
  const point = Math.max(at, 1);
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const right = digits.slice(point).replace(/0+$/, '');
  return `${sign}${left}${right === '' ? '' : `.${right}`}`;
}

/** Converts a fraction to the text of its percentage: 0.25 to 25. */
export function percentOf(share: number): string {
  return movedPoint(String(share), 2);
}

/** Converts the text of a percentage to a fraction; null for an invalid text. */
export function shareOf(percent: string): number | null {
  const share = Number(movedPoint(percent.trim(), -2));
  return percent.trim() === '' || Number.isNaN(share) ? null : share;
}
