import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OperationObject, SwaggerModule } from '@nestjs/swagger';

import { NOTES, type RouteNotes } from '../http/route-notes.js';
import type { Route } from './operations.js';
import { TAGS } from './tags.js';

/** The routes of the API, as Nest serves them, in the order of their tags and then of their paths. */
export function routesOf(app: INestApplication): Route[] {
  const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build(), {
    operationIdFactory: nameOf,
  });
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Scanned>).map(([method, found]): Route => {
      const { operationId, tags = [], summary, description, [NOTES]: notes = {} } = found;
      return { path, method, tags, operationId, summary, description, notes };
    }),
  );
  return routes.sort((a, b) => placeOf(a) - placeOf(b));
}

interface Scanned extends OperationObject {
  readonly operationId: string;
  readonly [NOTES]?: Partial<RouteNotes>;
}

/** `subscriptions_rotateSecret`, an identifier in any language, of `SubscriptionsController.rotateSecret`. */
function nameOf(controller: string, method: string): string {
  const group = controller.replace(/Controller$/, '');
  return `${group.charAt(0).toLowerCase()}${group.slice(1)}_${method}`;
}

function placeOf({ tags }: Route): number {
  return TAGS.findIndex((tag) => tag.name === tags[0]);
}
