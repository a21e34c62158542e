import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { SystemClock, UnitsOfWork, newId, type Id } from '@commerce/platform';
import {
  SignJWT,
  calculateJwkThumbprint,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  type CryptoKey,
  type JWK,
} from 'jose';

import type { UserRecord } from '../users/user.record.js';
import { UserStore } from '../users/user.store.js';
import type { SigningKeyRecord } from './signing-key.record.js';
import { SigningKeyStore } from './signing-key.store.js';

const TOKEN_SECONDS = 15 * 60;
const ISSUER = 'commerce-service';
const AUDIENCE = 'commerce-api';
const ALGORITHM = 'EdDSA';
const MAX_LENGTH = 4096;
const ROTATE_AFTER_MS = 30 * 86_400_000;
/** Keys are read again after this time, and sooner when a token names one that is not known here. */
const RELOAD_MS = 60_000;
const UNKNOWN_RELOAD_MS = 1000;

interface SigningKey {
  readonly kid: string;
  readonly created: Date;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey | Uint8Array;
  readonly privateKey: CryptoKey | Uint8Array;
}

/** What a user token says. */
export interface TokenClaims {
  readonly user: string;
  readonly company: string;
}

export interface AccessToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
}

/** Tokens of end customers: JWTs signed by the service, valid for fifteen minutes. */
@Injectable()
export class Tokens {
  private keys: readonly SigningKey[] = [];
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: SigningKeyStore,
    private readonly users: UserStore,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /** @throws Fault `user.not_found` */
  async issueTo(company: Id, user: Id | string): Promise<AccessToken> {
    return this.issue(await this.users.in(company).get(user));
  }

  async issue(user: UserRecord): Promise<AccessToken> {
    const now = this.clock.now();
    const key = await this.signingKey(now);
    const seconds = Math.floor(now.getTime() / 1000);
    const access_token = await new SignJWT({ company: user.company.toHexString() })
      .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(user._id.toHexString())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + TOKEN_SECONDS)
      .setJti(randomUUID())
      .sign(key.privateKey);
    return { access_token, token_type: 'Bearer', expires_in: TOKEN_SECONDS };
  }

  /** @throws Fault `credentials.invalid` whatever is wrong with the token */
  async verify(token: string): Promise<TokenClaims> {
    if (token.length > MAX_LENGTH) throw invalid();
    try {
      const key = await this.keyOf(decodeProtectedHeader(token).kid);
      if (key === null) throw invalid();
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        clockTolerance: 30,
        currentDate: this.clock.now(),
        requiredClaims: ['sub', 'company', 'iat', 'exp', 'jti'],
      });
      const { sub, company } = payload;
      if (typeof sub !== 'string' || typeof company !== 'string') throw invalid();
      return { user: sub, company };
    } catch {
      // Whatever was wrong, the answer is the same: it must not help to forge the next one.
      throw invalid();
    }
  }

  /** The public keys by which others can check tokens, as a JSON Web Key Set. */
  async publicKeys(): Promise<{ keys: JWK[] }> {
    await this.reload(RELOAD_MS);
    return { keys: this.keys.map((key) => key.publicJwk) };
  }

  private async signingKey(now: Date): Promise<SigningKey> {
    await this.reload(RELOAD_MS);
    const newest = this.keys[0];
    if (newest && now.getTime() - newest.created.getTime() < ROTATE_AFTER_MS) return newest;
    await this.addKey();
    await this.reload(0);
    const made = this.keys[0];
    if (!made) throw new Error('a signing key was stored but cannot be read');
    return made;
  }

  private async keyOf(kid: string | undefined): Promise<SigningKey | null> {
    await this.reload(RELOAD_MS);
    const known = this.keys.find((key) => key.kid === kid);
    if (known) return known;
    await this.reload(UNKNOWN_RELOAD_MS);
    return this.keys.find((key) => key.kid === kid) ?? null;
  }

  private async addKey(): Promise<void> {
    const pair = await generateKeyPair(ALGORITHM, { extractable: true });
    const publicJwk = await exportJWK(pair.publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    const _id = newId();
    await this.units.create(this.store, {
      _id,
      company: _id,
      public_jwk: JSON.stringify({ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' }),
      private_jwk: JSON.stringify(await exportJWK(pair.privateKey)),
    });
  }

  /** Reads the keys when they are older than `age` milliseconds. */
  private async reload(age: number): Promise<void> {
    if (performance.now() - this.readAt < age) return;
    this.readAt = performance.now();
    const records = await this.store.newest();
    this.keys = await Promise.all(records.map(open));
  }
}

async function open(record: SigningKeyRecord): Promise<SigningKey> {
  const publicJwk = JSON.parse(record.public_jwk) as JWK;
  return {
    kid: publicJwk.kid ?? '',
    created: record.created,
    publicJwk,
    publicKey: await importJWK(publicJwk, ALGORITHM),
    privateKey: await importJWK(JSON.parse(record.private_jwk) as JWK, ALGORITHM),
  };
}

function invalid(): Error {
  return fault('credentials.invalid', 'Authorization does not hold valid credentials');
}
