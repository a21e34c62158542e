import { FAULTS } from '../http/faults/fault-catalogue.js';

const HEAD = `# Error codes

Every refusal is a problem document ([concepts](concepts.md#errors)). \`code\` is stable; \`detail\` is for people and may be reworded. Codes on the attempts of a payment, such as \`card_declined\` or \`payment_method.missing\`, say why a charge failed; they are not errors of a request.

This page is generated: \`npm run openapi\` writes it from the catalogue in \`apps/api/src/http/faults\`.

| status | code | meaning |
|---|---|---|
`;

/** docs/errors.md: every code, by status and name. */
export function errorsPage(): string {
  const rows = [...FAULTS.values()]
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
    .map(({ status, code, meaning }) => `| ${String(status)} | \`${code}\` | ${meaning} |\n`);
  return HEAD + rows.join('');
}
