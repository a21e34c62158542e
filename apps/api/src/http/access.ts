import { HttpCode, SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity } from '@nestjs/swagger';

/** Who may call a route: the end customer or an admin, an admin, anybody with the API key, anybody at all. */
export type Access = 'user_or_admin' | 'admin' | 'api_key' | 'open';

export const ACCESS = 'commerce:access';

type RouteDecorator = MethodDecorator & ClassDecorator;

/** Every success is 200, POST too, which Nest would answer with 201. */
function access(who: Access, ...documented: readonly (MethodDecorator & ClassDecorator)[]): RouteDecorator {
  const decorate = applyDecorators(SetMetadata(ACCESS, who), ...documented);
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (
      key !== undefined &&
      descriptor !== undefined &&
      Reflect.getMetadata('__httpCode__', descriptor.value as object) === undefined
    ) {
      HttpCode(200)(target, key, descriptor);
    }
    decorate(target as never, key as never, descriptor as never);
  };
}

export const AdminOnly = (): RouteDecorator =>
  access('admin', ApiSecurity('api_key'), ApiBearerAuth('service_key'));

export const UserOrAdmin = (): RouteDecorator =>
  access('user_or_admin', ApiSecurity('api_key'), ApiBearerAuth('access_token'));

export const ApiKeyOnly = (): RouteDecorator => access('api_key', ApiSecurity('api_key'));

export const Open = (): RouteDecorator => access('open');
