import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

import type { ServiceRequest } from '../http/service-request.js';
import { NEWEST } from '../http/versions/versions.js';

/** The API version that the caller requested, YYYY-MM-DD. */
export const AskedVersion = createParamDecorator(
  (_: undefined, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<ServiceRequest>().version ?? NEWEST,
);
