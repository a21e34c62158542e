import { Inject, Injectable, type LoggerService } from '@nestjs/common';
import { pino, type Logger, type LoggerOptions } from 'pino';

import { CONFIG, type Config } from '../config/config.js';
import { Scoped } from '../scope/scoped.js';

/** The fields of every line that is logged during a request or a job. */
export type LogContext = Record<string, string>;

const contexts = new Scoped<LogContext>();

/** Runs `work`; every line written meanwhile carries the context. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...contexts.get(), ...context }, work);
}

/** Adds to the context of the running request or job, where there is one. */
export function addLogContext(context: LogContext): void {
  const store = contexts.get();
  if (store) Object.assign(store, context);
}

/** Keys whose values never reach a log, in the first three levels of what is logged. */
const SECRETS = [
  'authorization',
  '["x-service-api-key"]',
  'secret',
  'client_secret',
  'intent_client_secret',
  'payment_client_secret',
  'access_token',
  'api_key',
  'service_key',
  'signing_secret',
];

/**
 * The type, message, stack and primitive fields of an error. Clients attach to it what they sent: ioredis the command
 * with its arguments, such as the password of AUTH or the 30 KB of a job's script.
 */
function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { aggregateErrors, ...fields } = pino.stdSerializers.err(error);
  if (!Array.isArray(aggregateErrors)) return withoutObjects(fields);
  return { ...withoutObjects(fields), errors: aggregateErrors.map(withoutObjects) };
}

function withoutObjects(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value !== 'object'));
}

/** Structured logs, one JSON object a line, with request id, company and job of the running context. */
@Injectable()
export class Log implements LoggerService {
  readonly pino: Logger;

  constructor(@Inject(CONFIG) config: Pick<Config, 'logLevel'> & Partial<Pick<Config, 'logTo'>>) {
    const options: LoggerOptions = {
      level: config.logLevel,
      mixin: () => contexts.get() ?? {},
      redact: SECRETS.flatMap((key) => {
        const dotted = key.startsWith('[') ? key : `.${key}`;
        return [key, `*${dotted}`, `*.*${dotted}`];
      }),
      serializers: { error: loggedError },
      formatters: { level: (label) => ({ level: label }) },
    };
    this.pino =
      config.logTo === 'stderr' ? pino(options, pino.destination({ fd: 2, sync: true })) : pino(options);
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.write('trace', message, more);
  }

  /** Nest's word for info. */
  log(message: unknown, ...more: unknown[]): void {
    this.write('info', message, more);
  }

  info(message: unknown, ...more: unknown[]): void {
    this.write('info', message, more);
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.write('warn', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    this.write('error', message, more);
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.write('fatal', message, more);
  }

  /** Takes pino's (object, text) as well as Nest's (text, …details, context). */
  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    more: unknown[],
  ): void {
    if (typeof message === 'object' && message !== null && !(message instanceof Error)) {
      this.pino[level](message, typeof more[0] === 'string' ? more[0] : undefined);
      return;
    }
    const details = more.length > 0 ? { details: more } : {};
    if (message instanceof Error) this.pino[level]({ error: message, ...details }, message.message);
    else this.pino[level](details, String(message));
  }
}
