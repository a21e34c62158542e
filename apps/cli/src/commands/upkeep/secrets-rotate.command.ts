import { IDEMPOTENCY_KEYS, SecretResealer, type SealedValue } from '@commerce/data';
import { sealedFields } from '@commerce/records';
import { Command } from 'nest-commander';

import { AdminCommand, table, type CommonOptions, type Outcome } from '../../admin-command.js';
import { putOnRecord } from '../../installation-audit-log.js';
import { ServiceContext } from '../../service-context.js';

/** The sealed values besides the fields that records declare as sealed. */
const BY_HAND: readonly SealedValue[] = [
  { collection: IDEMPOTENCY_KEYS.name, path: 'body', field: 'body' },
  { collection: 'signing_keys', path: 'private_jwk', field: 'private_jwk' },
  { collection: 'webhooks', path: 'secrets.current', field: 'secrets' },
  { collection: 'webhooks', path: 'secrets.previous', field: 'secrets' },
];

@Command({
  name: 'secrets:rotate',
  description: 'seals all secrets again, with the first of the SECRET_KEYS',
})
export class SecretsRotateCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(): Promise<Outcome> {
    await putOnRecord(this.service);
    const resealer = await this.service.get(SecretResealer);
    const declared = sealedFields().map(({ collection, field }) => ({ collection, path: field, field }));
    const resealed: Record<string, number> = {};
    for (const value of [...declared, ...BY_HAND])
      resealed[`${value.collection}.${value.path}`] = await resealer.reseal(value);
    return { json: resealed, lines: table(Object.entries(resealed)) };
  }
}
