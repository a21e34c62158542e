import { styleText } from 'node:util';

const WIDTHS = { date: 10, text: 58, amount: 13 };

/**
 * Writes the timeline: one line for each thing that happens, with date, amount and status below each other.
 * Colours only on a terminal, and never where NO_COLOR is set.
 *
 * @param {NodeJS.WriteStream} [out]
 */
export function createScreen(out = process.stdout) {
  const coloured = out.isTTY && !process.env.NO_COLOR;
  const paint = (style, text) => (coloured && text !== '' ? styleText(style, text) : text);
  const write = (line = '') => out.write(`${line.trimEnd()}\n`);
  let lastDate = '';

  return {
    write,
    title: (text) => write(`\n${paint('bold', text)}`),

    /** One thing that happened on a business date; the date is shown where it changes. */
    event({ date, text, amount = '', status = '' }) {
      const shown = date === lastDate ? '' : date;
      lastDate = date;
      const columns = [
        paint('cyan', shown.padEnd(WIDTHS.date)),
        text.padEnd(WIDTHS.text),
        amount.padStart(WIDTHS.amount),
        paint(styleOf(status), status),
      ];
      write(`  ${columns.join('  ')}`);
    },

    /** Something that came of it. */
    detail(text, good = true) {
      const mark = good ? paint('green', '✓') : paint('red', '✗');
      write(`  ${''.padEnd(WIDTHS.date)}    ${paint('dim', text.padEnd(WIDTHS.text - 2))}  ${mark}`);
    },

    /** One line of the summary. */
    check(text, value, good) {
      const mark = good ? paint('green', '✓') : paint('red', '✗');
      write(`  ${mark} ${text.padEnd(46)} ${good ? value : paint('red', value)}`);
    },
  };
}

function styleOf(status) {
  if (/SUCCEEDED|ACTIVE|REFUNDED|OK/.test(status)) return 'green';
  return /FAILED|DECLINED/.test(status) ? 'red' : 'yellow';
}

/** @param {number} ms milliseconds since 1970 */
export function day(ms) {
  return new Date(ms).toISOString().slice(0, 10);
}

/** @param {number} amount in major units */
export function money(amount, currency = 'EUR') {
  return `${amount.toFixed(2)} ${currency}`;
}
