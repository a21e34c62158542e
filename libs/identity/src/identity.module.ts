import { Global, Module } from '@nestjs/common';
import { recordModels } from '@commerce/platform';

import { BusinessClock } from './business-clock.js';
import { Companies } from './companies.service.js';
import { CompanyRecord } from './company.record.js';
import { CompanyStore } from './company.store.js';
import { CredentialRecord } from './credential.record.js';
import { CredentialStore } from './credential.store.js';
import { Keys } from './keys.service.js';
import { SigningKeyRecord } from './signing-key.record.js';
import { SigningKeyStore } from './signing-key.store.js';
import { TestClockRecord } from './test-clock.record.js';
import { TestClockStore } from './test-clock.store.js';
import { Tokens } from './tokens.service.js';
import { UserRecord } from './user.record.js';
import { UserStore } from './user.store.js';
import { Users } from './users.service.js';

const parts = [
  BusinessClock,
  Companies,
  CompanyStore,
  CredentialStore,
  Keys,
  SigningKeyStore,
  TestClockStore,
  Tokens,
  UserStore,
  Users,
];

/** Companies, their keys, their users, and whose time it is. */
@Global()
@Module({
  imports: [recordModels(CompanyRecord, CredentialRecord, SigningKeyRecord, TestClockRecord, UserRecord)],
  providers: parts,
  exports: parts,
})
export class IdentityModule {}
