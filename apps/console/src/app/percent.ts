const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i;

/**
 * Moves the point of a number's text by decimal places: 7.7 and -2 make 0.077. Multiplication would not be exact:
 * 0.07 × 100 is 7.000000000000001. A text that is no number stays as typed.
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

/** A part of one, such as 0.25, as the text of its percentage: 25. */
export function percentOf(share: number): string {
  return movedPoint(String(share), 2);
}

/** The part of one that a percentage means; null for a text that is none. */
export function shareOf(percent: string): number | null {
  const share = Number(movedPoint(percent.trim(), -2));
  return percent.trim() === '' || Number.isNaN(share) ? null : share;
}
