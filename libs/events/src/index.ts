export { EventLog, type EventShown } from './log/event-log.service.js';
export { EventStore } from './log/event.store.js';
export { ExpiredEventStore } from './log/expired-event.store.js';
export { ListEventsQuery } from './log/events.dto.js';
export { WebhookRecord } from './webhooks/webhook.record.js';
export { WebhookStore } from './webhooks/webhook.store.js';
export {
  CreateWebhookBody,
  ListWebhooksQuery,
  SimulateEventBody,
  UpdateWebhookBody,
} from './webhooks/webhooks.dto.js';
export { Webhooks } from './webhooks/webhooks.service.js';
export { Deliveries } from './delivery/deliveries.service.js';
export { ListDeliveriesQuery } from './delivery/delivery.dto.js';
export { deliverJob } from './delivery/delivery.job.js';
export {
  DeliveryRequestReader,
  UNSIGNED,
  type DeliveryRequest,
  type Unsigned,
} from './delivery/delivery-request-reader.js';
export { DeliveryStore } from './delivery/delivery.store.js';
export { DeliveryRecord } from './delivery/delivery.record.js';
export { ENDPOINT_STATES, type EndpointState } from './health/endpoint-health.js';
export {
  EndpointHealthReader,
  type ListedHealth,
  type WebhookHealth,
} from './health/endpoint-health-reader.js';
export { EventReplayer } from './delivery/event-replayer.js';
export { EventSimulator } from './delivery/event-simulator.js';
export { RetentionSweep } from './retention/retention-sweep.js';
export { relayJob } from './relay/relay.job.js';
export { Relay } from './relay/relay.js';
export { DeliveryModule, EventsModule } from './events.module.js';
