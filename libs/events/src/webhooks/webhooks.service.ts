import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import {
  GuardedHttpClient,
  SystemClock,
  UnitsOfWork,
  retryOnConflict,
  makeRecord,
  newId,
  readPage,
  type Caller,
  type Id,
  type Page,
  type RawQuery,
} from '@commerce/platform';

import { EndpointCallLimiter } from './endpoint-call-limiter.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookVerifier } from './webhook-verifier.js';
import { WebhookRecord } from './webhook.record.js';
import { WebhookStore } from './webhook.store.js';
import type { CreateWebhookBody, UpdateWebhookBody } from './webhooks.bodies.js';

type Owner = Pick<Caller, 'company'>;

/** What webhooks are made with. */
@Injectable()
export class WebhookParts {
  constructor(
    readonly secrets: WebhookSecrets,
    readonly verification: WebhookVerifier,
    readonly allowed: EndpointCallLimiter,
  ) {}
}

/** What a company wants to be told of, and where. Everything it returns shows the secret, so it is for admins. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly store: WebhookStore,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
    private readonly outbound: GuardedHttpClient,
    private readonly parts: WebhookParts,
  ) {}

  /**
   * Makes a webhook and at once tries to verify its endpoint. Returns it as it was made, not verified: whether the
   * endpoint said yes shows when it is read.
   */
  async create({ company }: Owner, body: CreateWebhookBody, version: string): Promise<WebhookRecord> {
    this.outbound.check(body.endpoint);
    const now = this.clock.now();
    const _id = newId();
    const values = { ...body, _id, company, version, secrets: this.parts.secrets.make(_id) };
    const work = this.units.begin(company, now);
    const webhook = work.insert(this.store, makeRecord(WebhookRecord, values, now));
    await work.commit();
    // Where too many were verified lately it stays unverified; that is no reason not to make it.
    if (await this.parts.allowed.mayVerifyNew(company)) await this.parts.verification.run(webhook);
    return this.shown(webhook);
  }

  async get({ company }: Owner, id: string): Promise<WebhookRecord> {
    return this.shown(await this.store.in(company).get(id, { deleted: true }));
  }

  async list({ company }: Owner, raw: RawQuery): Promise<Page<WebhookRecord>> {
    const query = readPage(raw, {
      sortable: ['created', 'updated', 'event_type'],
      sort: '-created',
      dates: { created: 'created', updated: 'updated' },
    });
    const filter = { ...query.filter, deleted: false };
    const page = await this.store.in(company).page({ ...query, filter });
    return { ...page, records: page.records.map((webhook) => this.shown(webhook)) };
  }

  async update({ company }: Owner, id: string, body: UpdateWebhookBody): Promise<WebhookRecord> {
    if (body.endpoint !== undefined) this.outbound.check(body.endpoint);
    return this.change(company, id, (before) => ({
      ...body,
      // The new endpoint has not said yes yet; the same write says so.
      ...(body.endpoint !== undefined && body.endpoint !== before.endpoint ? { verified: false } : {}),
      ...(body.active === true ? { reason: null, failing: null } : {}),
    }));
  }

  async delete({ company }: Owner, id: string): Promise<WebhookRecord> {
    return this.change(company, id, () => ({ deleted: true }));
  }

  async verify({ company }: Owner, id: string): Promise<WebhookRecord> {
    const webhook = await this.store.in(company).get(id);
    await this.parts.allowed.requireVerify(company, webhook._id);
    return this.shown(await this.parts.verification.run(webhook));
  }

  /** A new secret. For a day deliveries carry a signature by the one before, too. */
  async rotateSecret({ company }: Owner, id: string): Promise<WebhookRecord> {
    const now = this.clock.now();
    return this.change(company, id, (before) => ({ secrets: this.parts.secrets.rotate(before, now) }));
  }

  /** The webhook, when events may be sent to it now. */
  async requireListening(company: Id, id: string): Promise<WebhookRecord> {
    const webhook = await this.store.in(company).get(id);
    if (webhook.active && webhook.verified) return webhook;
    const { active, verified } = webhook;
    throw fault('webhook.state_conflict', 'Events go to active and verified webhooks only', {
      active,
      verified,
    });
  }

  private async change(
    company: Id,
    id: string,
    changes: (before: WebhookRecord) => Partial<WebhookRecord>,
  ): Promise<WebhookRecord> {
    return retryOnConflict(async () => {
      const before = await this.store.in(company).get(id);
      const work = this.units.begin(company, this.clock.now());
      const after = work.update(this.store, before, changes(before));
      await work.commit();
      return this.shown(after);
    });
  }

  private shown(webhook: WebhookRecord): WebhookRecord {
    return this.parts.secrets.reveal(webhook);
  }
}
