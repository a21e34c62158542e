import { Module } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';

import { BillingHoldCommand } from './commands/billing/billing-hold.command.js';
import { BillingResumeCommand } from './commands/billing/billing-resume.command.js';
import { BillingReleaseCommand } from './commands/billing/billing-release.command.js';
import { BillingRunCommand } from './commands/billing/billing-run.command.js';
import { CompanyCreateCommand } from './commands/companies/company-create.command.js';
import { CompanyListCommand } from './commands/companies/company-list.command.js';
import { CompanyUpdateCommand } from './commands/companies/company-update.command.js';
import { DatabaseShardCommand } from './commands/upkeep/database-shard.command.js';
import { DoctorCommand } from './commands/upkeep/doctor.command.js';
import { EventsReplayCommand } from './commands/upkeep/events-replay.command.js';
import { ExplainCommand } from './commands/billing/explain.command.js';
import { ForecastCommand } from './commands/billing/forecast.command.js';
import { RevenueCommand } from './commands/billing/revenue.command.js';
import { InvoiceExportCommand } from './commands/invoices/invoice-export.command.js';
import { InvoiceListCommand } from './commands/invoices/invoice-list.command.js';
import { InvoiceNextCommand } from './commands/invoices/invoice-next.command.js';
import { InvoiceRequestCommand } from './commands/invoices/invoice-request.command.js';
import { RatesImportCommand } from './commands/invoices/rates-import.command.js';
import { ImportStripeCommand } from './commands/data/import-stripe.command.js';
import { KeyCreateCommand } from './commands/access/key-create.command.js';
import { KeyListCommand } from './commands/access/key-list.command.js';
import { KeyRotateCommand } from './commands/access/key-rotate.command.js';
import { KeyRevokeCommand } from './commands/access/key-revoke.command.js';
import { PaymentShowCommand } from './commands/billing/payment-show.command.js';
import { QueuesRebuildCommand } from './commands/upkeep/queues-rebuild.command.js';
import { SearchRebuildCommand } from './commands/upkeep/search-rebuild.command.js';
import { SecretsRotateCommand } from './commands/upkeep/secrets-rotate.command.js';
import { SeedDemoCommand } from './commands/data/seed-demo.command.js';
import { SeedLoadCommand } from './commands/data/seed-load.command.js';
import { SubscriptionShowCommand } from './commands/billing/subscription-show.command.js';
import { UserCreateCommand } from './commands/access/user-create.command.js';
import { UserTokenCommand } from './commands/access/user-token.command.js';
import { ProviderBooksCheck } from './doctor/provider-books.check.js';
import { DemoCompanySeed } from './seeds/demo-company-seed.js';
import { DemoSeed } from './seeds/demo-seed.js';
import { CatalogImporter } from './stripe-import/catalog-importer.js';
import { TermsImporter } from './stripe-import/terms-importer.js';
import { StripeImporter } from './stripe-import/stripe-importer.js';
import { LoadSeed } from './seeds/load-seed.js';
import { ServiceContext } from './service-context.js';

const commands = [
  CompanyCreateCommand,
  CompanyUpdateCommand,
  CompanyListCommand,
  KeyCreateCommand,
  KeyRevokeCommand,
  KeyListCommand,
  KeyRotateCommand,
  DatabaseShardCommand,
  SearchRebuildCommand,
  SecretsRotateCommand,
  UserCreateCommand,
  UserTokenCommand,
  SubscriptionShowCommand,
  PaymentShowCommand,
  ExplainCommand,
  ForecastCommand,
  RevenueCommand,
  SeedDemoCommand,
  SeedLoadCommand,
  ImportStripeCommand,
  BillingRunCommand,
  BillingHoldCommand,
  BillingResumeCommand,
  BillingReleaseCommand,
  InvoiceExportCommand,
  InvoiceListCommand,
  InvoiceNextCommand,
  InvoiceRequestCommand,
  RatesImportCommand,
  EventsReplayCommand,
  QueuesRebuildCommand,
  DoctorCommand,
];

const parts = [
  ProviderBooksCheck,
  DemoCompanySeed,
  DemoSeed,
  LoadSeed,
  CatalogImporter,
  TermsImporter,
  StripeImporter,
];

interface Program {
  readonly commands: readonly { name(): string }[];
  name(text: string): unknown;
  exitOverride(): unknown;
}

/** Every command. They are cheap to create: the service itself is built when one of them runs. */
@Module({ providers: [ServiceContext, ...parts, ...commands] })
export class CliModule {
  constructor(@InjectCommander() private readonly program: Program) {
    // The name that users type; the framework would show the name of the file.
    program.name('npm run cli --');
    program.exitOverride();
  }

  commandNames(): string[] {
    return this.program.commands.map((command) => command.name());
  }
}
