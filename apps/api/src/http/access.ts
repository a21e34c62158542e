import { HttpCode } from '@nestjs/common';

import type { CustomerRight } from '@commerce/identity';

import { note, notesOf, type Access } from './route-notes.js';

/** Sets the status of every success to 200, also for POST (201 in Nest), unless the route declares another. */
function access(who: Access): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value as object;
    if (!Reflect.hasMetadata('__httpCode__', handler)) HttpCode(200)(target, key, descriptor);
    note(target, key, { access: who });
  };
}

/**
 * Declares what a user's call needs of the company's `customers`. With fields, only a body that has one of them needs it.
 */
export function CustomerMay(right: CustomerRight, ...fields: readonly string[]): MethodDecorator {
  return (target, key, descriptor) => {
    const { asks = [] } = notesOf(descriptor.value as object);
    note(target, key, { asks: [...asks, { right, fields }] });
  };
}

/** Declares that a user pays or ends something by the route, whatever its requests have left in the logs. */
export const BeyondQuota = (): MethodDecorator => (target, key) => {
  note(target, key, { beyondQuota: true });
};

export const AdminOnly = (): MethodDecorator => access('admin');

export const UserOrAdmin = (): MethodDecorator => access('user_or_admin');

export const ApiKeyOnly = (): MethodDecorator => access('api_key');

export const Open = (): MethodDecorator => access('open');
