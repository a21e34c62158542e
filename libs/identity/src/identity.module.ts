import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { recordModels } from '@commerce/records';

import { AuditEntries } from './audit/audit-entries.service.js';
import { AuditEntryRecord } from './audit/audit-entry.record.js';
import { AuditEntryStore } from './audit/audit-entry.store.js';
import { BusinessClock } from './test-clocks/business-clock.js';
import { Companies } from './companies/companies.service.js';
import { CompanyRecord } from './companies/company.record.js';
import { CompanyStore } from './companies/company.store.js';
import { CredentialRecord } from './credentials/credential.record.js';
import { CredentialStore } from './credentials/credential.store.js';
import { Keys } from './credentials/keys.service.js';
import { SigningKeyRecord } from './tokens/signing-key.record.js';
import { SigningKeyStore } from './tokens/signing-key.store.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { TestClockRecord } from './test-clocks/test-clock.record.js';
import { TestClockStore } from './test-clocks/test-clock.store.js';
import { Tokens } from './tokens/tokens.service.js';
import { CustomerLimiter } from './users/customer-limiter.js';
import { UserRecord } from './users/user.record.js';
import { UserDeleter } from './users/user-deleter.js';
import { UserStore } from './users/user.store.js';
import { Users } from './users/users.service.js';
import { VatCheckSweep } from './vat-checks/vat-check-sweep.js';
import { VatChecker } from './vat-checks/vat-checker.js';
import { ViesClient } from './vat-checks/vies-client.js';

const parts = [
  AuditEntries,
  AuditEntryStore,
  BusinessClock,
  Companies,
  CompanyStore,
  CredentialStore,
  CustomerLimiter,
  Keys,
  SigningKeyStore,
  SigningKeys,
  TestClockStore,
  Tokens,
  UserDeleter,
  UserStore,
  Users,
];

/** Companies, their keys, their users, and the clocks of their customers. */
@Global()
@Module({
  imports: [
    DiscoveryModule,
    recordModels(
      AuditEntryRecord,
      CompanyRecord,
      CredentialRecord,
      SigningKeyRecord,
      TestClockRecord,
      UserRecord,
    ),
  ],
  providers: [...parts, VatChecker, VatCheckSweep, ViesClient],
  exports: parts,
})
export class IdentityModule {}
