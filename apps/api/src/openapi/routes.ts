import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

import { notesOf, type RouteNotes } from '../http/route-notes.js';
import type { Route } from './operations.js';
import { TAGS } from './tags.js';

/** The routes of the API, as Nest serves them, in the order of their tags and then of their paths. */
export function routesOf(app: INestApplication): Route[] {
  const scanned = SwaggerModule.createDocument(app, new DocumentBuilder().build(), {
    operationIdFactory: (controller, method) => `${controller}.${method}`,
  });
  const controllers = controllersOf(app);
  const routes = Object.entries(scanned.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Scanned>).map(([method, found]): Route => {
      const { operationId, tags = [] } = found;
      return {
        path,
        method,
        tags,
        operationId: nameOf(operationId),
        notes: notesFor(operationId, controllers),
      };
    }),
  );
  return routes.sort((a, b) => placeOf(a) - placeOf(b));
}

interface Scanned {
  readonly operationId: string;
  readonly tags?: readonly string[];
}

type Controllers = ReadonlyMap<string, Record<string, object | undefined>>;

function controllersOf(app: INestApplication): Controllers {
  const controllers = new Map<string, Record<string, object | undefined>>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype !== 'function') continue;
      if (controllers.has(metatype.name)) throw new Error(`there are two controllers ${metatype.name}`);
      controllers.set(metatype.name, metatype.prototype as Record<string, object | undefined>);
    }
  }
  return controllers;
}

function notesFor(operationId: string, controllers: Controllers): Partial<RouteNotes> {
  const [controller = '', method = ''] = operationId.split('.');
  const handler = controllers.get(controller)?.[method];
  if (handler === undefined) throw new Error(`nothing serves ${operationId}`);
  return notesOf(handler);
}

/** `subscriptions_rotateSecret`, an identifier in any language, of `SubscriptionsController.rotateSecret`. */
function nameOf(operationId: string): string {
  const [controller = '', method = ''] = operationId.split('.');
  const group = controller.replace(/Controller$/, '');
  return `${group.charAt(0).toLowerCase()}${group.slice(1)}_${method}`;
}

function placeOf({ tags }: Route): number {
  return TAGS.findIndex((tag) => tag.name === tags[0]);
}
