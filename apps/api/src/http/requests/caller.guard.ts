import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { fault, isFault } from '@commerce/kernel';
import { Keys, Tokens, Users, type CredentialRecord } from '@commerce/identity';
import { nameActor, nameRequest, type Caller } from '@commerce/data';
import { CONFIG, addLogContext, type Config } from '@commerce/platform';
import { parseId } from '@commerce/records';
import type { Response } from 'express';

import { notesOf, type Access, type RouteNotes } from '../route-notes.js';
import type { ServiceRequest } from '../service-request.js';
import { readInput } from './request-input.js';
import { RequestLimiter } from './request-limiter.js';

const BEARER = /^Bearer +(\S+)$/i;

/** Authenticates the caller, applies the rate limits and checks the route's access. Only then is the body read. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly keys: Keys,
    private readonly tokens: Tokens,
    private readonly users: Users,
    private readonly limiter: RequestLimiter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const notes = notesOf(context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    nameRequest({
      request: `${request.method} ${routeOf(request)}`,
      request_id: request.requestId,
      caller_request_id: request.callerRequestId,
    });
    await this.admit(request, http.getResponse<Response>(), notes);
    await readInput(request, notes, this.config);
    return true;
  }

  private async admit(
    request: ServiceRequest,
    response: Response,
    { access, triesCards = false, writesNothing = false }: Partial<RouteNotes>,
  ): Promise<void> {
    if (access === undefined) throw new Error('a route does not say who may call it');
    if (access === 'open') return this.limiter.admitAddress(request);
    const caller = await this.limiter.authenticating(request, () => this.callerOf(request, access));
    request.caller = caller;
    addLogContext({ company: caller.company.toHexString() });
    await Promise.all([
      this.limiter.admit(request, response, caller),
      writesNothing ? null : this.limiter.admitKey(request, caller),
    ]);
    if (triesCards) await this.limiter.admitCardAttempt(caller);
    if (access === 'admin' && caller.role !== 'admin') {
      throw fault('role.forbidden', 'This operation needs a service key');
    }
    nameCaller(caller);
  }

  private async callerOf(request: ServiceRequest, access: Access): Promise<Caller> {
    const given = request.headers['x-service-api-key'];
    if (typeof given !== 'string' || given === '') {
      throw fault('api_key.missing', 'The header X-Service-Api-Key is missing');
    }
    const apiKey = await this.keys.verify(given, 'api');
    if (access === 'api_key') return this.optionalBearer(request, apiKey);
    return this.bearerOf(request, apiKey);
  }

  /**
   * On routes where the API key suffices, an expired token must not lock anyone out: the caller counts as anonymous.
   */
  private async optionalBearer(request: ServiceRequest, apiKey: CredentialRecord): Promise<Caller> {
    const anonymous: Caller = {
      company: apiKey.company,
      mode: apiKey.mode,
      role: 'anonymous',
      user: null,
      credential: apiKey._id.toHexString(),
    };
    if (request.headers.authorization === undefined) return anonymous;
    try {
      return await this.bearerOf(request, apiKey);
    } catch (error) {
      if (isFault(error)) return anonymous;
      throw error;
    }
  }

  private async bearerOf(request: ServiceRequest, apiKey: CredentialRecord): Promise<Caller> {
    const bearer = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (bearer === undefined)
      throw fault('credentials.missing', 'The header Authorization: Bearer <token> is missing');
    return bearer.startsWith('sk_') ? this.serviceOf(bearer, apiKey) : this.userOf(bearer, apiKey);
  }

  private async serviceOf(bearer: string, apiKey: CredentialRecord): Promise<Caller> {
    const service = await this.keys.verify(bearer, 'service');
    if (!service.company.equals(apiKey.company) || service.mode !== apiKey.mode) throw foreign();
    return {
      company: service.company,
      mode: service.mode,
      role: 'admin',
      user: null,
      credential: service._id.toHexString(),
    };
  }

  private async userOf(bearer: string, apiKey: CredentialRecord): Promise<Caller> {
    const claims = await this.tokens.verify(bearer);
    const user = parseId(claims.user);
    if (user === null || claims.company !== apiKey.company.toHexString()) throw foreign();
    if (!(await this.users.isKnown(apiKey.company, user))) throw foreign();
    return {
      company: apiKey.company,
      mode: apiKey.mode,
      role: 'user',
      user,
      credential: `user-${user.toHexString()}`,
    };
  }
}

function routeOf(request: ServiceRequest): string {
  const { path = '' } = (request.route ?? {}) as { path?: string };
  return path;
}

function nameCaller({ role, user, credential, company }: Caller): void {
  if (role === 'admin') nameActor({ kind: 'admin', credential, company });
  else if (user !== null) nameActor({ kind: 'user', credential: user.toHexString(), company });
}

/** The same reply for every reason, so that it reveals nothing about the credentials' owner. */
function foreign(): Error {
  return fault('credentials.invalid', 'Authorization does not hold valid credentials');
}
