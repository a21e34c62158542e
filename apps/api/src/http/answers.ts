import { ApiOkResponse } from '@nestjs/swagger';
import type { FieldedClass } from '@commerce/platform';

const answered = new Map<string, FieldedClass>();

/** Documents what a route answers with: a record, or in brackets a list of them. */
export function Answers(what: FieldedClass | readonly [FieldedClass]): MethodDecorator {
  const [type, list] = typeof what === 'function' ? [what, false] : [what[0], true];
  const name = type.name.replace(/Record$/, '');
  answered.set(name, type);
  const schema = { $ref: `#/components/schemas/${name}` };
  return ApiOkResponse(
    list
      ? {
          description: 'a list; X-Total-Count and Link say where it stands',
          schema: { type: 'array', items: schema },
        }
      : { description: 'the record', schema },
  );
}

/** The classes that routes answer with, by their name in the document. */
export function answeredTypes(): ReadonlyMap<string, FieldedClass> {
  return answered;
}
