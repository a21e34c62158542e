import { isIP } from 'node:net';

import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import ms from 'ms';

/** One kind of variable. */
interface Kind {
  /** Makes a value of the text; undefined when it cannot. */
  readonly read: (text: string) => unknown;
  /** Completes the message: `<name> must …`. */
  readonly must: string;
  /** The advice when the variable is not set; without one it is optional. */
  readonly needed?: string;
  /** The text may hold a password or key, so that no message repeats it. */
  readonly secret?: true;
}

/** A variable of the environment. What cannot be read stays text, which the rule then refuses by name. */
function variable({ read, must, needed, secret }: Kind): PropertyDecorator {
  const isRead = (value: unknown): boolean => typeof value !== 'string' || read(value) !== undefined;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (read(value) ?? value) : value,
    ),
    ValidateBy({
      name: 'isSetting',
      validator: {
        validate: (value) => (value === '' ? needed === undefined : isRead(value)),
        defaultMessage: (args) => {
          const name = args?.property ?? '';
          const value: unknown = args?.value;
          if (value === '') return `${name} is not set: ${needed ?? ''}`;
          return `${name} must ${must}${secret === true ? '' : `, not "${String(value)}"`}`;
        },
      },
    }),
  );
}

/** Any text. */
export function AnyText(): PropertyDecorator {
  return variable({ read: (text) => text, must: 'be text' });
}

export function WholeNumber(min: number, max: number): PropertyDecorator {
  const read = (text: string): number | undefined => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return variable({ read, must: `be a whole number from ${String(min)} to ${String(max)}` });
}

export function TrueOrFalse(): PropertyDecorator {
  const words: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };
  return variable({ read: (text) => words[text.toLowerCase()], must: 'be true or false' });
}

export function OneOf(choices: readonly string[]): PropertyDecorator {
  return variable({
    read: (text) => choices.find((choice) => choice === text),
    must: `be one of ${choices.join(', ')}`,
  });
}

/** An address with one of these schemes; a connection string may list several hosts, which no URL parser reads. */
export function Address(schemes: readonly string[], needed?: string): PropertyDecorator {
  const starts = schemes.map((scheme) => `${scheme}://`);
  const read = (text: string): string | undefined =>
    starts.some((start) => text.startsWith(start)) ? text : undefined;
  const must = `start with ${starts.join(' or ')}`;
  return variable({ read, must, secret: true, ...(needed === undefined ? {} : { needed }) });
}

/** A duration, such as 30s or 2h, in milliseconds. */
export function Duration(): PropertyDecorator {
  return variable({ read: durationOf, must: 'be a duration such as 30s, 10m or 2h' });
}

/** Durations in milliseconds, separated by commas. */
export function Durations(): PropertyDecorator {
  return variable({ read: allOf(durationOf), must: 'list durations such as 30s,10m,2h,22h' });
}

/** The number of proxies in front of the service, or their networks, separated by commas. */
export function Proxies(): PropertyDecorator {
  const networkOf = (text: string): string | undefined => {
    const [address = '', bits = ''] = text.split('/');
    const named = ['loopback', 'linklocal', 'uniquelocal'].includes(text);
    return named || (isIP(address) !== 0 && /^\d{0,3}$/.test(bits)) ? text : undefined;
  };
  return variable({
    read: (text) => (/^\d{1,2}$/.test(text) ? Number(text) : allOf(networkOf)(text)),
    must: 'be the number of proxies, or list their networks, such as 10.0.0.0/8,loopback',
  });
}

/** Keys of 32 bytes as 64 hexadecimal digits each, separated by commas. */
export function Keys(): PropertyDecorator {
  const keyOf = (text: string): Uint8Array | undefined =>
    /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
  const must = 'be 64 hexadecimal digits, or several such keys separated by commas';
  return variable({ read: allOf(keyOf), must, secret: true });
}

function durationOf(text: string): number | undefined {
  // A bare number would be milliseconds to the library, and seconds to many readers.
  if (!/^\d+(\.\d+)?\s*[a-z]+$/i.test(text)) return undefined;
  const value: number | undefined = ms(text as ms.StringValue);
  return value;
}

function allOf<T>(read: (text: string) => T | undefined): (text: string) => T[] | undefined {
  return (text) => {
    const values = text.split(',').map((part) => read(part.trim()));
    return values.every((value) => value !== undefined) ? values : undefined;
  };
}
