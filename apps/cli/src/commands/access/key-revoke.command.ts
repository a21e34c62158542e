import { Keys, readKey } from '@commerce/identity';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { confirm } from '../../confirm.js';
import { ServiceContext } from '../../service-context.js';
import { shownKey } from './key-shown.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly key: string;
  readonly yes?: boolean;
}

@Command({
  name: 'key:revoke',
  description: 'revokes a key and the keys that it made; within five seconds they stop working',
})
export class KeyRevokeCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const company = idOption(options.company, 'company');
    const id = readKey(options.key)?.id ?? idOption(options.key, 'key').toHexString();
    const keys = await this.service.get(Keys);
    const ending = (await keys.endingWith(company, id)).map((key) => key._id.toHexString());
    await confirm(`Revoke the key ${id}${withOthers(ending.length)} for good?`, options.yes);
    const { successor, ...revoked } = shownKey(await keys.revoke(company, id));
    const lines = [
      `The key ${id} is revoked${ending.length === 0 ? '' : `, and with it ${ending.join(', ')}`}.`,
    ];
    if (successor !== null) lines.push(`It was rolled: its successor ${String(successor)} is not revoked.`);
    return { json: { ...revoked, successor, ended: ending }, lines };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--key <id>', required: true, description: "the key's id, or the key itself" })
  readKeyId(value: string): string {
    return value;
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}

function withOthers(many: number): string {
  if (many === 0) return '';
  return many === 1 ? ' and the key that ends with it' : ` and the ${String(many)} keys that end with it`;
}
