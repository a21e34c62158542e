import { Module } from '@nestjs/common';
import { OutboundModule, recordModels } from '@commerce/platform';

import { Courier } from './delivery/courier.js';
import { Deliveries } from './delivery/deliveries.service.js';
import { DeliveryRecord } from './delivery/delivery.record.js';
import { DeliveryStore } from './delivery/delivery.store.js';
import { Dispatcher } from './delivery/dispatcher.js';
import { DuePass } from './delivery/due-pass.js';
import { OutcomeLog } from './delivery/outcome-log.js';
import { Sender } from './delivery/sender.js';
import { ServerClock } from './delivery/server-clock.js';
import { Targets } from './delivery/targets.js';
import { WebhookHealth } from './delivery/webhook-health.js';
import { EventLog } from './log/event-log.service.js';
import { EventRecord } from './log/event.record.js';
import { EventStore } from './log/event.store.js';
import { Relay } from './relay/relay.js';
import { RelayKicks } from './relay/relay-kicks.js';
import { RelayPass } from './relay/relay-pass.js';
import { CallsAllowed } from './webhooks/calls-allowed.js';
import { WebhookSecrets } from './webhooks/secrets.js';
import { Simulator } from './webhooks/simulator.js';
import { Verification } from './webhooks/verification.js';
import { WebhookRecord } from './webhooks/webhook.record.js';
import { WebhookStore } from './webhooks/webhook.store.js';
import { WebhookParts, Webhooks } from './webhooks/webhooks.service.js';

const parts = [
  CallsAllowed,
  Courier,
  Deliveries,
  DeliveryStore,
  EventLog,
  EventStore,
  RelayKicks,
  ServerClock,
  Simulator,
  Verification,
  WebhookParts,
  WebhookSecrets,
  WebhookStore,
  Webhooks,
];

/** The log of events and the webhooks, for whoever writes events or shows them. */
@Module({
  imports: [OutboundModule, recordModels(EventRecord, WebhookRecord, DeliveryRecord)],
  providers: parts,
  exports: parts,
})
export class EventsModule {}

const senders = [Dispatcher, DuePass, OutcomeLog, Relay, RelayPass, Sender, Targets, WebhookHealth];

/** What gives events their places and delivers them; for the worker. */
@Module({ imports: [EventsModule], providers: senders, exports: senders })
export class DeliveryModule {}
