import { inspect } from 'node:util';

type Style = 'bold' | 'dim' | 'cyan' | 'green' | 'yellow' | 'red';

/** One line of the timeline. */
export interface TimelineEntry {
  /** The business date, shown when it changes. */
  readonly date: string;
  readonly text: string;
  readonly amount?: string;
  readonly status?: string;
}

const WIDTHS = { date: 10, text: 58, amount: 13 };

/** Writes the timeline: one line for each event, in columns of date, text, amount and status. */
export class Screen {
  private lastDate = '';

  constructor(private readonly out: NodeJS.WriteStream = process.stdout) {}

  write(line = ''): void {
    this.out.write(`${line.trimEnd()}\n`);
  }

  title(text: string): void {
    this.write(`\n${this.paint('bold', text)}`);
  }

  /** Writes an event of a business date. */
  event({ date, text, amount = '', status = '' }: TimelineEntry): void {
    const shown = date === this.lastDate ? '' : date;
    this.lastDate = date;
    const columns = [
      this.paint('cyan', shown.padEnd(WIDTHS.date)),
      text.padEnd(WIDTHS.text),
      amount.padStart(WIDTHS.amount),
      this.paint(styleOf(status), status),
    ];
    this.write(`  ${columns.join('  ')}`);
  }

  /** Writes a consequence of the last event. */
  detail(text: string, good: boolean): void {
    const dimmed = this.paint('dim', text.padEnd(WIDTHS.text - 2));
    this.write(`  ${''.padEnd(WIDTHS.date)}    ${dimmed}  ${this.mark(good)}`);
  }

  /** Writes one line of the summary. */
  check(text: string, value: string, good: boolean): void {
    this.write(`  ${this.mark(good)} ${text.padEnd(46)} ${good ? value : this.paint('red', value)}`);
  }

  private mark(good: boolean): string {
    return good ? this.paint('green', '✓') : this.paint('red', '✗');
  }

  /** Colours only on a terminal, and never when NO_COLOR is set. */
  private paint(style: Style, text: string): string {
    const [start, end] = inspect.colors[style] ?? [];
    const coloured = this.out.isTTY && this.out.hasColors() && text !== '';
    return coloured ? `\u001b[${String(start)}m${text}\u001b[${String(end)}m` : text;
  }
}

function styleOf(status: string): Style {
  if (/SUCCEEDED|ACTIVE|REFUNDED|OK/.test(status)) return 'green';
  return /FAILED|DECLINED/.test(status) ? 'red' : 'yellow';
}

/** The day of an instant. */
export function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** An amount in major units. */
export function money(amount: number, currency = 'EUR'): string {
  return `${amount.toFixed(2)} ${currency}`;
}
