import { Injectable } from '@nestjs/common';
import { fault, fieldFault, type EventKind } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type Decide, type Page } from '@commerce/data';
import { newId, pageOf } from '@commerce/records';

import { EndpointCallLimiter } from './endpoint-call-limiter.js';
import { hears, storedKinds } from './webhook-kinds.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookVerifier } from './webhook-verifier.js';
import type { WebhookRecord } from './webhook.record.js';
import { WebhookStore } from './webhook.store.js';
import type { CreateWebhookBody, ListWebhooksQuery, UpdateWebhookBody } from './webhooks.dto.js';

/** The webhooks of a company. Whatever it returns shows the secret, so it is for admins only. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly store: WebhookStore,
    private readonly units: UnitsOfWork,
    private readonly secrets: WebhookSecrets,
    private readonly verifier: WebhookVerifier,
    private readonly limiter: EndpointCallLimiter,
  ) {}

  /** Creates a webhook, tries to verify its endpoint unless that is to come later, and returns it with the result. */
  async create({ company }: Caller, body: CreateWebhookBody, version: string): Promise<WebhookRecord> {
    const { confirm, event_type, kinds, ...values } = body;
    const heard = storedKinds({ event_type, kinds });
    if (heard === undefined) throw fieldFault('event_type', 'event_type or kinds must be given');
    this.verifier.checkEndpoint(body.endpoint);
    const _id = newId();
    const secrets = this.secrets.make(_id);
    const made = await this.units.create(
      this.store,
      { ...values, ...heard, _id, company, version, secrets },
      { also: (work) => this.store.requireRoom(work) },
    );
    // A company over its limit still gets its webhook; it can have it verified later.
    const mayVerify = confirm !== 'later' && (await this.limiter.mayVerifyNew(made));
    return this.shown(mayVerify ? await this.verifier.verify(made) : made);
  }

  async get(caller: Caller, id: string): Promise<WebhookRecord> {
    return this.shown(await this.store.for(caller).show(id));
  }

  async list(caller: Caller, query: ListWebhooksQuery): Promise<Page<WebhookRecord>> {
    const page = await this.store.for(caller).page(pageOf(query, { deleted: false }));
    return { ...page, records: page.records.map((webhook) => this.shown(webhook)) };
  }

  async update(caller: Caller, id: string, body: UpdateWebhookBody): Promise<WebhookRecord> {
    const { event_type, kinds, ...values } = body;
    const heard = storedKinds({ event_type, kinds });
    if (body.endpoint !== undefined) this.verifier.checkEndpoint(body.endpoint);
    return this.change(caller, id, (before) => {
      const moved = body.endpoint !== undefined && body.endpoint !== before.endpoint;
      return {
        changes: {
          ...values,
          ...heard,
          // Nobody has agreed to receive anything at the new endpoint yet.
          ...(moved ? { verified: false } : {}),
          ...(body.active === true ? { reason: null, failing: null } : {}),
        },
      };
    });
  }

  async delete(caller: Caller, id: string): Promise<WebhookRecord> {
    return this.change(caller, id, () => ({ changes: { deleted: true } }));
  }

  async verify(caller: Caller, id: string): Promise<WebhookRecord> {
    const webhook = await this.store.for(caller).get(id);
    await this.limiter.requireVerify(webhook);
    return this.shown(await this.verifier.verify(webhook));
  }

  /** Replaces the secret. For a day, deliveries also carry a signature made with the previous one. */
  async rotateSecret(caller: Caller, id: string): Promise<WebhookRecord> {
    return this.change(caller, id, (before, work) => ({
      changes: { secrets: this.secrets.rotate(before, work.now) },
    }));
  }

  /** The webhook, if a simulated event of this kind may be sent to it now. */
  async toSimulate(caller: Caller, id: string, kind: EventKind | null): Promise<WebhookRecord> {
    const webhook = await this.store.for(caller).get(id);
    if (kind !== null && !hears(webhook, kind)) {
      throw fieldFault('kind', `kind must be one that the webhook is sent: ${webhook.kinds.join(', ')}`);
    }
    const { active, verified } = webhook;
    if (!active || !verified) {
      const message = 'Only active and verified webhooks receive events';
      throw fault('webhook.state_conflict', message, { active, verified });
    }
    await this.limiter.requireSimulate(webhook._id);
    return webhook;
  }

  private async change(caller: Caller, id: string, decide: Decide<WebhookRecord>): Promise<WebhookRecord> {
    return this.shown(await this.units.change(this.store.for(caller), id, decide));
  }

  private shown(webhook: WebhookRecord): WebhookRecord {
    return this.secrets.reveal(webhook);
  }
}
