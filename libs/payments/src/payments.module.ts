import { Module } from '@nestjs/common';
import { recordModels } from '@commerce/platform';

import { CardVault } from './card-vault.service.js';
import { Errands } from './errands.service.js';
import { Janitor } from './janitor.service.js';
import { NoticeEffects } from './notice-effects.service.js';
import { Notices } from './notices.service.js';
import { PayingUsers } from './paying-users.service.js';
import { PaymentClocks } from './payment-clocks.js';
import { PaymentDesk } from './payment-desk.service.js';
import { PaymentMethodUsers } from './payment-method-users.js';
import { PaymentMethodRecord } from './payment-method.record.js';
import { PaymentMethodStore } from './payment-method.store.js';
import { PaymentMethods } from './payment-methods.service.js';
import { PaymentOwners } from './payment-owners.js';
import { PaymentRecord } from './payment.record.js';
import { PaymentStore } from './payment.store.js';
import { Payments } from './payments.service.js';
import { ProviderCustomerRecord } from './provider-customer.record.js';
import { ProviderCustomerStore } from './provider-customer.store.js';
import { ProviderCustomers } from './provider-customers.service.js';
import { ProviderNoticeStore, noticeModel } from './provider-notice.store.js';
import { CardProvider } from './provider/card-provider.js';
import { StripeCharges } from './provider/stripe-charges.js';
import { StripeClient } from './provider/stripe-client.js';
import { StripeProvider } from './provider/stripe-provider.js';
import { RefundErrands } from './refund-errands.service.js';
import { Settlement } from './settlement.service.js';

const inner = [
  CardVault,
  Errands,
  NoticeEffects,
  PayingUsers,
  PaymentClocks,
  ProviderCustomerStore,
  ProviderCustomers,
  ProviderNoticeStore,
  RefundErrands,
  StripeCharges,
  StripeClient,
];

const outer = [
  Janitor,
  Notices,
  PaymentDesk,
  PaymentMethodStore,
  PaymentMethodUsers,
  PaymentMethods,
  PaymentOwners,
  PaymentStore,
  Payments,
  Settlement,
];

/** Payment methods, payments, their way to the card provider and back. */
@Module({
  imports: [recordModels(PaymentRecord, PaymentMethodRecord, ProviderCustomerRecord), noticeModel()],
  providers: [...inner, ...outer, { provide: CardProvider, useClass: StripeProvider }],
  exports: [...outer, CardProvider],
})
export class PaymentsModule {}
