import type { AnyRecord } from './records.js';

/** An event as it stands in the journal; what it shows is record number `shows` of the same line. */
export interface EventDraft {
  readonly id: string;
  readonly type: string;
  readonly shows: number;
  /** How often its notice goes out; more than once only for fault cards. */
  readonly copies?: number;
  /** Milliseconds by which the notice comes late. */
  readonly delay?: number;
  /** No notice goes out: nobody listens, or it got lost on the way. */
  readonly silent?: boolean;
}

/** What a keyed request was answered, kept so that the same key is answered the same. `body` is JSON text. */
export interface Answer {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  /** How many more sends are told 500 before this answer is shown. */
  readonly withhold: number;
}

/** One line of the journal: everything one request did. */
export interface Entry {
  readonly at: number;
  readonly account: string;
  readonly request: string | null;
  readonly key: string | null;
  readonly put: readonly AnyRecord[];
  readonly events: readonly EventDraft[];
  readonly answer?: Answer;
}

/** Ids of events whose notices have arrived, or were given up. */
export interface SentLine {
  readonly sent: readonly string[];
}

/** Stands behind the records that a compaction wrote, so that the next start knows how much has come since. */
export interface BaseLine {
  readonly base: true;
}

/**
 * The line of an entry. The answer's body is JSON already and goes in as it is, last: turning it into a JSON
 * string would cost a second pass over the longest part of the line.
 */
export function entryLine(entry: Entry): string {
  const { answer, ...rest } = entry;
  const head = JSON.stringify(rest);
  if (answer === undefined) return head;
  const { body, ...about } = answer;
  return `${head.slice(0, -1)},"answer":${JSON.stringify(about).slice(0, -1)},"body":${body}}}`;
}

/** An entry as read back: the answer's body is a value again. */
export type KeptEntry = Omit<Entry, 'answer'> & {
  readonly answer?: Omit<Answer, 'body'> & { readonly body: unknown };
};

export function parseLine(line: string): KeptEntry | SentLine | BaseLine {
  return JSON.parse(line) as KeptEntry | SentLine | BaseLine;
}

/** The entry as it was written: JSON text comes back the same from being read and written again. */
export function asWritten(entry: KeptEntry): Entry {
  const { answer } = entry;
  return { ...entry, answer: answer && { ...answer, body: JSON.stringify(answer.body) } };
}
