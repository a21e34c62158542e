import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { UnitsOfWork } from '@commerce/data';
import { SystemClock } from '@commerce/platform';
import { type Id } from '@commerce/records';
import {
  SignJWT,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWK,
  type ProtectedHeaderParameters,
} from 'jose';

import type { UserRecord } from '../users/user.record.js';
import { UserStore } from '../users/user.store.js';
import { ALGORITHM, LONGEST_TOKEN_S, SigningKeys } from './signing-keys.js';

const TOKEN_SECONDS = 15 * 60;
const ISSUER = 'commerce-service';
const AUDIENCE = 'commerce-api';
const MAX_LENGTH = 4096;

/** The claims of a user token. */
export interface TokenClaims {
  readonly user: string;
  readonly company: string;
}

/** The claims of a token for one purpose: the id of a record, and its company's. */
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
  constructor(
    private readonly keys: SigningKeys,
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

  /** @throws Fault `credentials.invalid`, the same for every error */
  async verify(token: string): Promise<TokenClaims> {
    const claims = await this.open(AUDIENCE, token);
    // The answer is the same for every error: it must not help to forge the next token.
    if (typeof claims === 'string')
      throw fault('credentials.invalid', 'Authorization does not hold valid credentials');
    return { user: claims.subject, company: claims.company };
  }

  /** A token for one record of a company, valid for one purpose alone. */
  async issueFor(purpose: string, claims: PurposeClaims, seconds: number): Promise<string> {
    return this.sign(`commerce-${purpose}`, claims, seconds);
  }

  /** The claims of a token issued for this purpose, or the reason why it is refused. */
  async verifyFor(purpose: string, token: string): Promise<PurposeClaims | 'expired' | 'invalid'> {
    return this.open(`commerce-${purpose}`, token);
  }

  private async sign(
    audience: string,
    { subject, company }: PurposeClaims,
    lifetime: number,
  ): Promise<string> {
    const now = this.clock.now();
    if (lifetime > LONGEST_TOKEN_S) throw new Error('a token must not outlive the key that signs it');
    const key = await this.keys.signing();
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

  /** Throws database errors only: a token that cannot be verified now is not invalid. */
  private async open(audience: string, token: string): Promise<PurposeClaims | 'expired' | 'invalid'> {
    const kid = kidOf(token);
    const key = kid === null ? null : await this.keys.named(kid);
    if (key === null) return 'invalid';
    try {
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience,
        clockTolerance: 30,
        currentDate: this.clock.now(),
        requiredClaims: ['sub', 'company', 'iat', 'exp', 'jti'],
      });
      const { sub, company } = payload;
      return typeof sub === 'string' && typeof company === 'string' ? { subject: sub, company } : 'invalid';
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
    }
  }

  /** The public keys with which others can verify tokens, as a JSON Web Key Set. */
  async publicKeys(): Promise<{ keys: JWK[] }> {
    return this.keys.published();
  }
}

/** The key that a token names; null for a malformed token. */
function kidOf(token: string): string | null {
  if (token.length > MAX_LENGTH) return null;
  let header: ProtectedHeaderParameters;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    return null;
  }
  return typeof header.kid === 'string' ? header.kid : null;
}
