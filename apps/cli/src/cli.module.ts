import { Module } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';

import { BillingHoldCommand } from './commands/billing-hold.command.js';
import { BillingResumeCommand } from './commands/billing-resume.command.js';
import { BillingReleaseCommand } from './commands/billing-release.command.js';
import { BillingRunCommand } from './commands/billing-run.command.js';
import { CompanyCreateCommand } from './commands/company-create.command.js';
import { CompanyListCommand } from './commands/company-list.command.js';
import { CompanyUpdateCommand } from './commands/company-update.command.js';
import { CompletionCommand } from './commands/completion.command.js';
import { DoctorCommand } from './commands/doctor.command.js';
import { EventsReplayCommand } from './commands/events-replay.command.js';
import { ExplainCommand } from './commands/explain.command.js';
import { ForecastCommand } from './commands/forecast.command.js';
import { ImportStripeCommand } from './commands/import-stripe.command.js';
import { KeyCreateCommand } from './commands/key-create.command.js';
import { KeyListCommand } from './commands/key-list.command.js';
import { KeyRotateCommand } from './commands/key-rotate.command.js';
import { KeyRevokeCommand } from './commands/key-revoke.command.js';
import { PaymentShowCommand } from './commands/payment-show.command.js';
import { QueuesRebuildCommand } from './commands/queues-rebuild.command.js';
import { SearchRebuildCommand } from './commands/search-rebuild.command.js';
import { SecretsRotateCommand } from './commands/secrets-rotate.command.js';
import { SeedDemoCommand } from './commands/seed-demo.command.js';
import { SeedLoadCommand } from './commands/seed-load.command.js';
import { SubscriptionShowCommand } from './commands/subscription-show.command.js';
import { UserCreateCommand } from './commands/user-create.command.js';
import { UserTokenCommand } from './commands/user-token.command.js';
import { ProviderBooksCheck } from './doctor/provider-books.check.js';
import { DemoCompanySeed } from './seeds/demo-company-seed.js';
import { DemoSeed } from './seeds/demo-seed.js';
import { CatalogImporter } from './stripe-import/catalog-importer.js';
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
  SearchRebuildCommand,
  SecretsRotateCommand,
  UserCreateCommand,
  UserTokenCommand,
  SubscriptionShowCommand,
  PaymentShowCommand,
  ExplainCommand,
  ForecastCommand,
  SeedDemoCommand,
  SeedLoadCommand,
  ImportStripeCommand,
  BillingRunCommand,
  BillingHoldCommand,
  BillingResumeCommand,
  BillingReleaseCommand,
  EventsReplayCommand,
  QueuesRebuildCommand,
  DoctorCommand,
  CompletionCommand,
];

const parts = [ProviderBooksCheck, DemoCompanySeed, DemoSeed, LoadSeed, CatalogImporter, StripeImporter];

/** Every command. They are cheap to create: the service itself is built when one of them runs. */
@Module({ providers: [ServiceContext, ...parts, ...commands] })
export class CliModule {
  constructor(@InjectCommander() program: { name(text: string): unknown }) {
    // The name that users type; the framework would show the name of the file.
    program.name('npm run cli --');
  }
}
