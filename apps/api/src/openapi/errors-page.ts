import { FAULTS } from '../http/faults/fault-catalogue.js';

const HEAD = `# Error codes

Every refusal is a problem document ([concepts](concepts.md#errors)). \`code\` is stable; \`detail\` is for people and may be reworded. Codes on the attempts of a payment, such as \`card_declined\` or \`payment_method.missing\`, say why a charge failed; they are not errors of a request.

\`again\` says whether the same request may succeed later without a repair. \`soon\`: it passes by itself, and \`Retry-After\` names the wait. \`later\`: the state that refuses it can change; \`Retry-After\` is there where the wait is known. Neither is kept under an \`Idempotency-Key\`, nor is a refusal with 401, 403, 422 or 500: the same key works for the next try. All others are replayed ([concepts](concepts.md#idempotency)).

This page is generated: \`npm run openapi\` writes it from the catalogue in \`apps/api/src/http/faults\`.

| status | code | again | meaning |
|---|---|---|---|
`;

/** docs/errors.md: every code, by status and name. */
export function errorsPage(): string {
  const rows = [...FAULTS.values()]
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
    .map(({ status, code, again, meaning }) => {
      const note = again === 'never' ? '' : again;
      return `| ${String(status)} | \`${code}\` | ${note} | ${meaning} |\n`;
    });
  return HEAD + rows.join('');
}
