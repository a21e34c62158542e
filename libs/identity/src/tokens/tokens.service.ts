import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { SystemClock, UnitsOfWork, newId, type Id } from '@commerce/platform';
import {
  SignJWT,
  calculateJwkThumbprint,
  decodeProtectedHeader,
  errors,
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

/** What a token for one purpose is about: the id of a record, and its company's. */
export interface PurposeClaims {
  readonly subject: string;
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
    const found = await this.users.in(company).get(user);
    await this.units.write(company, (work) => work.note('token_issued', 'user', found._id));
    return this.issue(found);
  }

  async issue(user: UserRecord): Promise<AccessToken> {
    const claims = { subject: user._id.toHexString(), company: user.company.toHexString() };
    const access_token = await this.sign(AUDIENCE, claims, TOKEN_SECONDS);
    return { access_token, token_type: 'Bearer', expires_in: TOKEN_SECONDS };
  }

  /** @throws Fault `credentials.invalid` for whatever is wrong with the token, always the same */
  async verify(token: string): Promise<TokenClaims> {
    try {
      const { subject, company } = await this.open(AUDIENCE, token);
      return { user: subject, company };
    } catch {
      // Whatever was wrong, the answer is the same: it must not help to forge the next one.
      throw fault('credentials.invalid', 'Authorization does not hold valid credentials');
    }
  }

  /** A token about one record of a company, good for one purpose alone. */
  async issueFor(purpose: string, claims: PurposeClaims, seconds: number): Promise<string> {
    return this.sign(`commerce-${purpose}`, claims, seconds);
  }

  /** What a token says that was issued for this purpose, or why it says nothing. */
  async verifyFor(purpose: string, token: string): Promise<PurposeClaims | 'expired' | 'invalid'> {
    try {
      return await this.open(`commerce-${purpose}`, token);
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
    }
  }

  private async sign(
    audience: string,
    { subject, company }: PurposeClaims,
    lifetime: number,
  ): Promise<string> {
    const now = this.clock.now();
    const key = await this.signingKey(now);
    const seconds = Math.floor(now.getTime() / 1000);
    return new SignJWT({ company })
      .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + lifetime)
      .setJti(randomUUID())
      .sign(key.privateKey);
  }

  private async open(audience: string, token: string): Promise<PurposeClaims> {
    if (token.length > MAX_LENGTH) throw new Error('the token is too long');
    const key = await this.keyOf(decodeProtectedHeader(token).kid);
    if (key === null) throw new Error('the token names no key of ours');
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience,
      clockTolerance: 30,
      currentDate: this.clock.now(),
      requiredClaims: ['sub', 'company', 'iat', 'exp', 'jti'],
    });
    const { sub, company } = payload;
    if (typeof sub !== 'string' || typeof company !== 'string') throw new Error('the token names nobody');
    return { subject: sub, company };
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
