import ajvFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Returns the errors of a value under the schema at a place in the document, such as `#/components/schemas/Plan`. */
export type Check = (place: string, value: unknown) => string[];

export function schemaChecker(document: object): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'openapi' });
  return (place, value) => {
    // Places are JSON pointers in a fragment, where a few characters must be escaped.
    const $ref = `openapi${encodeURI(place)}`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${place} ${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    );
  };
}
