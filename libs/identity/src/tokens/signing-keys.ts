import { Injectable } from '@nestjs/common';
import { DAY_MS } from '@commerce/kernel';
import { UnitsOfWork } from '@commerce/data';
import { Sweeps } from '@commerce/jobs';
import { Log, Sealer, SystemClock } from '@commerce/platform';
import { newId, type Id } from '@commerce/records';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';

import type { SigningKeyRecord } from './signing-key.record.js';
import { SigningKeyStore } from './signing-key.store.js';

export const ALGORITHM = 'EdDSA';
/** The longest lifetime of a token: a key that no longer signs can be deleted after this time. */
export const LONGEST_TOKEN_S = 8 * 86_400;

const ROTATE_AFTER_MS = 30 * DAY_MS;
/** A key is published for this long before it signs, so that verifiers of tokens know it by then. */
const PUBLISHED_MS = 60_000;
/** Keys are read again after this time, and sooner when a token names an unknown one. */
const RELOAD_MS = 5000;
const UNKNOWN_RELOAD_MS = 1000;
const SWEEP_EVERY_MS = 3_600_000;
const ALL = 10_000;

export interface SigningKey {
  readonly id: Id;
  readonly kid: string;
  readonly created: Date;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey | Uint8Array;
  readonly privateKey: CryptoKey | Uint8Array;
}

/** The key pairs that sign tokens. They rotate automatically; the private halves are sealed at rest. */
@Injectable()
export class SigningKeys {
  /** The newest first. */
  private keys: readonly SigningKey[] = [];
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;
  private making: Promise<void> | null = null;
  private sweptAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: SigningKeyStore,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
    private readonly sealer: Sealer,
    private readonly log: Log,
  ) {}

  /** The key that signs now. */
  async signing(): Promise<SigningKey> {
    const now = this.clock.now().getTime();
    await this.refresh(RELOAD_MS);
    const newest = this.keys[0];
    if (newest === undefined || now - newest.created.getTime() >= ROTATE_AFTER_MS) await this.makeOne();
    const published = this.keys.find(({ created }) => now - created.getTime() >= PUBLISHED_MS);
    const signing = published ?? this.keys.at(-1);
    if (signing === undefined) throw new Error('a signing key was stored but cannot be read');
    return signing;
  }

  /** The key that a token names; null when it is not ours. */
  async named(kid: string | undefined): Promise<SigningKey | null> {
    for (const age of [RELOAD_MS, UNKNOWN_RELOAD_MS]) {
      await this.refresh(age);
      const known = this.keys.find((key) => key.kid === kid);
      if (known) return known;
    }
    return null;
  }

  /** The public keys with which others can verify tokens, as a JSON Web Key Set. */
  async published(): Promise<{ keys: JWK[] }> {
    await this.signing();
    return { keys: this.keys.map((key) => key.publicJwk) };
  }

  /**
   * For an emergency: creates a new key, deletes all others and returns their number. Within seconds every token that
   * they signed is refused, including links to the page for customers.
   */
  async replaceAll(): Promise<number> {
    const before = await this.store.newest(ALL);
    await this.makeOne();
    await this.store.remove(before.map(({ _id }) => _id));
    await this.refresh(0);
    return before.length;
  }

  /** Deletes keys once the last token that they signed has expired. */
  @Sweeps('signing-keys')
  async sweep(): Promise<void> {
    if (performance.now() - this.sweptAt < SWEEP_EVERY_MS) return;
    await this.removeExpired();
    this.sweptAt = performance.now();
  }

  async removeExpired(): Promise<void> {
    const now = this.clock.now().getTime();
    const records = await this.store.newest(ALL);
    const kept = LONGEST_TOKEN_S * 1000 + PUBLISHED_MS + DAY_MS;
    // A key signs until the next one is published.
    const expired = records.filter((_, index) => {
      const next = records[index - 1];
      return next !== undefined && now - next.created.getTime() > kept;
    });
    await this.store.remove(expired.map(({ _id }) => _id));
  }

  private makeOne(): Promise<void> {
    this.making ??= this.make().finally(() => {
      this.making = null;
    });
    return this.making;
  }

  private async make(): Promise<void> {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const _id = newId();
    const text = JSON.stringify(await exportJWK(privateKey));
    const private_jwk = this.sealer.seal(text, place(_id));
    await this.units.create(this.store, { _id, company: _id, private_jwk });
    await this.refresh(0);
  }

  /** Reads the keys when they are older than `age` milliseconds. Concurrent calls wait for the same read. */
  private async refresh(age: number): Promise<void> {
    if (performance.now() - this.readAt < age) return;
    // A read that has begun may miss later writes.
    if (age === 0) await this.reading;
    this.reading ??= this.read().finally(() => {
      this.reading = null;
    });
    await this.reading;
  }

  private async read(): Promise<void> {
    const at = performance.now();
    const records = await this.store.newest();
    const keys = await Promise.all(records.map((record) => this.opened(record)));
    this.keys = keys.filter((key) => key !== null);
    this.readAt = at;
  }

  /** Null for a key that we did not seal: it must neither sign nor verify. */
  private async opened({ _id, private_jwk, created }: SigningKeyRecord): Promise<SigningKey | null> {
    let jwk: JWK;
    try {
      jwk = JSON.parse(this.sealer.open(private_jwk, place(_id))) as JWK;
    } catch (error) {
      this.log.error({ error, key: _id.toHexString() }, 'A signing key cannot be opened; it is left out');
      return null;
    }
    const { kty = '', crv = '', x = '' } = jwk;
    const kid = await calculateJwkThumbprint({ kty, crv, x });
    const publicJwk: JWK = { kty, crv, x, kid, alg: ALGORITHM, use: 'sig' };
    return {
      id: _id,
      kid,
      created,
      publicJwk,
      publicKey: await importJWK(publicJwk, ALGORITHM),
      privateKey: await importJWK(jwk, ALGORITHM),
    };
  }
}

function place(id: Id): [string, string, string] {
  return ['signing_keys', id.toHexString(), 'private_jwk'];
}
