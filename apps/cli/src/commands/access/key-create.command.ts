import { Companies, Keys, type CredentialKind, type Mode } from '@commerce/identity';
import { Command, Option } from 'nest-commander';

import {
  AdminCommand,
  choiceOption,
  dateOption,
  idOption,
  table,
  type CommonOptions,
  type Outcome,
} from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';
import { MODES } from '../companies/company-create.command.js';

const KINDS: CredentialKind[] = ['api', 'service'];

interface Options extends CommonOptions {
  readonly company: string;
  readonly kind: CredentialKind;
  readonly mode?: Mode;
  readonly expires?: Date;
}

@Command({ name: 'key:create', description: 'creates an API key or a service key' })
export class KeyCreateCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const company = await (await this.service.get(Companies)).get(idOption(options.company, 'company'));
    const keys = await this.service.get(Keys);
    const { kind, mode = company.mode, expires = null } = options;
    const { key, record } = await keys.create(company._id, kind, mode, expires);
    const made = {
      id: record._id.toHexString(),
      company: company._id.toHexString(),
      kind,
      mode,
      expires: expires?.toISOString() ?? null,
      // The name that company:create also uses.
      [kind === 'api' ? 'api_key' : 'service_key']: key,
      key,
    };
    return { json: made, lines: [...table([['key', key]]), 'The key is shown only this once.'] };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({
    flags: '--kind <kind>',
    choices: KINDS,
    required: true,
    description: 'an API key or a service key',
  })
  readKind(value: string): CredentialKind {
    return choiceOption(value, 'kind', KINDS);
  }

  @Option({
    flags: '--mode <mode>',
    choices: MODES,
    description: "only the company's own, which is the default",
  })
  readMode(value: string): Mode {
    return choiceOption(value, 'mode', MODES);
  }

  @Option({
    flags: '--expires <date>',
    description: 'when it stops working, such as 2030-01-31 or 2030-01-31T12:00Z; default: never',
  })
  readExpires(value: string): Date {
    return dateOption(value, 'expires');
  }
}
