import { Companies, CreateUserBody, Users } from '@commerce/identity';
import { EVENT, parseBody, renderObject } from '@commerce/platform';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, table, type CommonOptions, type Outcome } from '../admin-command.js';
import { Service } from '../service.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly name?: string;
  readonly email?: string;
  readonly externalReference?: string;
  readonly timezone?: string;
  readonly testClock?: string;
}

@Command({ name: 'user:create', description: 'makes an end customer of a company' })
export class UserCreateCommand extends AdminCommand<Options> {
  constructor(private readonly service: Service) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const { _id, mode } = await (await this.service.get(Companies)).get(idOption(options.company, 'company'));
    const { name, email, timezone, externalReference: external_reference, testClock: test_clock } = options;
    const given = { name, email, timezone, external_reference, test_clock };
    const said = Object.entries(given).filter(([, value]) => value !== undefined);
    const body = parseBody(CreateUserBody, Object.fromEntries(said));
    const user = await (await this.service.get(Users)).create({ company: _id, mode }, body);
    const json = { user: user._id.toHexString(), ...renderObject(user, EVENT) };
    return {
      json,
      lines: table([
        ['user', json.user],
        ['name', user.name ?? ''],
      ]),
    };
  }

  @Option({ flags: '--company <id>', required: true, description: 'whose customer it will be' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--name <name>', description: 'what the customer is called' })
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
