export { Companies, type CompanyInput } from './companies/companies.service.js';
export { AuditEntries } from './audit/audit-entries.service.js';
export { ListAuditEntriesQuery } from './audit/audit-entries.dto.js';
export { AuditEntryRecord } from './audit/audit-entry.record.js';
export {
  CompanyRecord,
  type Mode,
  type ProrationMode,
  type TaxBehavior,
} from './companies/company.record.js';
export { UpdateCompanyBody } from './companies/company.dto.js';
export {
  notAllowed,
  requireAllowed,
  type CustomerRight,
  type CustomerSettings,
  defaultCustomerSettings,
} from './companies/customer-settings.js';
export type { PostalAddress } from './parties/postal-address.js';
export { Seller } from './parties/seller.js';
export { TaxSettings, manualTax } from './parties/tax-settings.js';
export {
  mustSayVat,
  requireRateOf,
  taxBuyerOf,
  taxSellerOf,
  type TaxedUser,
} from './companies/tax-parties.js';
export { BusinessClock, type Instants } from './test-clocks/business-clock.js';
export { RunsOnTestClocks, type ClockWork } from './test-clocks/clock-work.js';
export { clockFilter } from './test-clocks/clock-filter.js';
export { TestClockRecord } from './test-clocks/test-clock.record.js';
export { TestClockStore, type ClockKey } from './test-clocks/test-clock.store.js';
export { CredentialRecord, type CredentialKind } from './credentials/credential.record.js';
export { readKey } from './credentials/key.rules.js';
export { CreateKeyBody, ListKeysQuery, RollKeyBody } from './credentials/keys.dto.js';
export { Keys } from './credentials/keys.service.js';
export { CustomerLimiter } from './users/customer-limiter.js';
export { UserRecord, type Balance } from './users/user.record.js';
export { UserStore } from './users/user.store.js';
export { UsesUsers, type RunningUsages, type UserUsage } from './users/user-usage.js';
export { CreateUserBody, DeleteUserQuery, ListUsersQuery, UpdateUserBody } from './users/users.dto.js';
export { UserDeleter } from './users/user-deleter.js';
export { Users } from './users/users.service.js';
export { SigningKeys } from './tokens/signing-keys.js';
export { Tokens, type AccessToken } from './tokens/tokens.service.js';
export { IdentityModule } from './identity.module.js';
