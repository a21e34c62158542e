export { freePort } from '@commerce/stack';

export { Client, idIn, type Reply } from './client.js';
export { eventually } from './eventually.js';
export { MerchantEndpoint, type Message } from './merchant-endpoint.js';
export { billedTwice, chargesOf, copySubscription } from './many-subscriptions.js';
export { toolEnv, withoutSettings } from './own-env.js';
export { callProvider, providerCharges, type ProviderCharge, type ProviderReply } from './provider-call.js';
export { Receiver } from './receiver.js';
export { SENTINEL_MASTER, startRedisCluster, startWatchedRedis, type StartRedis } from './redis-sets.js';
export { mostResidentMib, residentMib } from './resident-memory.js';
export { Subscriber } from './subscriber.js';
