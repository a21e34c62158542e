import type { Type } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { fieldsOf } from '@commerce/platform';

/** Where the document's generator keeps what the field decorators say of a field. */
const NOTED = 'swagger/apiModelProperties';

/** Documents each parameter of a query class, with the same types, bounds and words as the fields of a body. */
export function queryParameters(type: Type<object>): MethodDecorator[] {
  return fieldsOf(type).map(({ name }) => {
    const noted = (Reflect.getMetadata(NOTED, type.prototype as object, name) ?? {}) as Record<
      string,
      unknown
    >;
    const { description, required, isArray, type: valueType, nullable: _nullable, ...schema } = noted;
    const value = { ...schema, type: typeName(valueType) };
    return ApiQuery({
      name,
      required: required === true,
      ...(typeof description === 'string' ? { description } : {}),
      schema: isArray === true ? { type: 'array', items: value } : value,
    } as Parameters<typeof ApiQuery>[0]);
  });
}

function typeName(type: unknown): string {
  if (type === Number) return 'number';
  if (type === Boolean) return 'boolean';
  return typeof type === 'string' ? type : 'string';
}
