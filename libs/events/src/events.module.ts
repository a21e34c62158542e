import { Module } from '@nestjs/common';
import { HttpClientModule } from '@commerce/platform';
import { recordModels } from '@commerce/records';

import { Deliveries } from './delivery/deliveries.service.js';
import { DeliveryRequestReader } from './delivery/delivery-request-reader.js';
import { DeliveryRecord } from './delivery/delivery.record.js';
import { DeliveryStore } from './delivery/delivery.store.js';
import { EventReplayer } from './delivery/event-replayer.js';
import { EventSimulator } from './delivery/event-simulator.js';
import { EndpointHealthReader } from './health/endpoint-health-reader.js';
import { EventLog } from './log/event-log.service.js';
import { EventRecord } from './log/event.record.js';
import { EventStore } from './log/event.store.js';
import { ExpiredEventStore } from './log/expired-event.store.js';
import { EventPlacer } from './relay/event-placer.js';
import { RelayNotifier } from './relay/relay-notifier.js';
import { RelaySweep } from './relay/relay-sweep.js';
import { Relay } from './relay/relay.js';
import { RetentionSweep } from './retention/retention-sweep.js';
import { AttemptRunner } from './sending/attempt-runner.js';
import { LeasedDeliveryReader } from './sending/leased-delivery-reader.js';
import { DeliveryDispatcher } from './sending/delivery-dispatcher.js';
import { DeliveryNotifier } from './sending/delivery-notifier.js';
import { DeliverySender } from './sending/delivery-sender.js';
import { DeliverySweep } from './sending/delivery-sweep.js';
import { OutcomeWriter } from './sending/outcome-writer.js';
import { WebhookCache } from './sending/webhook-cache.js';
import { WebhookHealthMonitor } from './sending/webhook-health-monitor.js';
import { EndpointCallLimiter } from './webhooks/endpoint-call-limiter.js';
import { WebhookClient } from './webhooks/webhook-client.js';
import { WebhookSecrets } from './webhooks/webhook-secrets.js';
import { WebhookVerifier } from './webhooks/webhook-verifier.js';
import { WebhookRecord } from './webhooks/webhook.record.js';
import { WebhookStore } from './webhooks/webhook.store.js';
import { Webhooks } from './webhooks/webhooks.service.js';

const shared = [
  Deliveries,
  DeliveryRequestReader,
  DeliveryStore,
  EndpointCallLimiter,
  EndpointHealthReader,
  EventLog,
  EventReplayer,
  EventSimulator,
  EventStore,
  ExpiredEventStore,
  RelayNotifier,
  WebhookClient,
  WebhookSecrets,
  WebhookStore,
  WebhookVerifier,
  Webhooks,
];

/** The log of events, webhooks and their deliveries: for the API, and for modules that write events. */
@Module({
  imports: [HttpClientModule, recordModels(EventRecord, WebhookRecord, DeliveryRecord)],
  providers: [...shared],
  exports: shared,
})
export class EventsModule {}

/** The relay, and the sending of deliveries: for the worker. */
@Module({
  imports: [EventsModule],
  providers: [
    AttemptRunner,
    LeasedDeliveryReader,
    DeliveryDispatcher,
    DeliveryNotifier,
    DeliverySender,
    DeliverySweep,
    EventPlacer,
    OutcomeWriter,
    Relay,
    RelaySweep,
    RetentionSweep,
    WebhookCache,
    WebhookHealthMonitor,
  ],
  exports: [Relay],
})
export class DeliveryModule {}
