import { Companies, CreateUserBody, Users } from '@commerce/identity';
import { parseBody, renderObject } from '@commerce/records';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, table, type CommonOptions, type Outcome } from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly name?: string;
  readonly email?: string;
  readonly externalReference?: string;
  readonly timezone?: string;
  readonly testClock?: string;
}

@Command({ name: 'user:create', description: 'creates an end customer of a company' })
export class UserCreateCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const { _id, mode } = await (await this.service.get(Companies)).get(idOption(options.company, 'company'));
    const { name, email, timezone, externalReference: external_reference, testClock: test_clock } = options;
    const given = { name, email, timezone, external_reference, test_clock };
    const fields = Object.entries(given).filter(([, value]) => value !== undefined);
    const body = parseBody(CreateUserBody, Object.fromEntries(fields));
    const user = await (await this.service.get(Users)).create({ company: _id, mode }, body);
    const json = { user: user._id.toHexString(), ...renderObject(user) };
    return {
      json,
      lines: table([
        ['user', json.user],
        ['name', user.name ?? ''],
      ]),
    };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--name <name>', description: 'name of the customer' })
  readName(value: string): string {
    return value;
  }

  @Option({ flags: '--email <email>', description: 'unique in the company' })
  readEmail(value: string): string {
    return value;
  }

  @Option({ flags: '--external-reference <text>', description: "the customer's id in another system" })
  readExternalReference(value: string): string {
    return value;
  }

  @Option({ flags: '--timezone <zone>', description: 'IANA time zone, for display' })
  readTimezone(value: string): string {
    return value;
  }

  @Option({ flags: '--test-clock <id>', description: 'the test clock on which the customer lives' })
  readTestClock(value: string): string {
    return value;
  }
}
