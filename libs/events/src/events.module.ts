import { Module } from '@nestjs/common';
import { HttpClientModule, recordModels } from '@commerce/platform';

import { WebhookClient } from './webhooks/webhook-client.js';
import { Deliveries } from './delivery/deliveries.service.js';
import { DeliveryRecord } from './delivery/delivery.record.js';
import { DeliveryStore } from './delivery/delivery.store.js';
import { DeliveryDispatcher } from './delivery/delivery-dispatcher.js';
import { DueDeliveries } from './delivery/due-deliveries.js';
import { OutcomeWriter } from './delivery/outcome-writer.js';
import { DeliverySender } from './delivery/delivery-sender.js';
import { DatabaseClock } from './delivery/database-clock.js';
import { WebhookCache } from './delivery/webhook-cache.js';
import { WebhookHealthMonitor } from './delivery/webhook-health-monitor.js';
import { EventLog } from './log/event-log.service.js';
import { EventRecord } from './log/event.record.js';
import { EventStore } from './log/event.store.js';
import { Relay } from './relay/relay.js';
import { RelayNotifier } from './relay/relay-notifier.js';
import { RelaySweep } from './relay/relay-sweep.js';
import { EndpointCallLimiter } from './webhooks/endpoint-call-limiter.js';
import { WebhookSecrets } from './webhooks/webhook-secrets.js';
import { EventSimulator } from './delivery/event-simulator.js';
import { WebhookVerifier } from './webhooks/webhook-verifier.js';
import { WebhookRecord } from './webhooks/webhook.record.js';
import { WebhookStore } from './webhooks/webhook.store.js';
import { WebhookParts, Webhooks } from './webhooks/webhooks.service.js';

const parts = [
  EndpointCallLimiter,
  WebhookClient,
  Deliveries,
  DeliveryStore,
  EventLog,
  EventStore,
  RelayNotifier,
  DatabaseClock,
  EventSimulator,
  WebhookVerifier,
  WebhookParts,
  WebhookSecrets,
  WebhookStore,
  Webhooks,
];

/** The log of events and the webhooks, for whoever writes events or shows them. */
@Module({
  imports: [HttpClientModule, recordModels(EventRecord, WebhookRecord, DeliveryRecord)],
  providers: parts,
  exports: parts,
})
export class EventsModule {}

const senders = [
  DeliveryDispatcher,
  DueDeliveries,
  OutcomeWriter,
  Relay,
  RelaySweep,
  DeliverySender,
  WebhookCache,
  WebhookHealthMonitor,
];

/** What gives events their places and delivers them; for the worker. */
@Module({ imports: [EventsModule], providers: senders, exports: senders })
export class DeliveryModule {}
