import { eventually } from '@commerce/testing';

import { schemaChecker, type Check } from './schema-checker.js';

export interface Call {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly body?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; null when it is not JSON. */
  readonly body: any;
}

/** The reply headers that the document must name; the others belong to HTTP or to the framework. */
const OURS =
  /^(x-(service|request|total)-.*|link|ratelimit.*|idempotent-.*|retry-after|etag|accept-ranges|content-range)$/;

/** Routes whose replies anybody may keep, although the document does not name the header. */
const PUBLIC: readonly string[] = ['get /.well-known/jwks.json'];

/** Calls a service and compares each reply with the route's documentation. */
export class DocumentedCaller {
  /** The routes that replied with success, as `get /users/{id}`. */
  readonly succeeded = new Set<string>();
  /** The parts of replies that the document omits or contradicts. */
  readonly undocumented: string[] = [];
  private readonly check: Check;

  constructor(
    private readonly document: any,
    private readonly baseUrl: string,
  ) {
    this.check = schemaChecker(document);
  }

  async call({ method, path, body, form, headers = {} }: Call): Promise<Answered> {
    const sent = body === undefined ? form : JSON.stringify(body);
    const response = await fetch(`${this.baseUrl}${path}`, {
      method: method.toUpperCase(),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
    const answered = { status: response.status, headers: response.headers, body: parsed(type, text) };
    this.compare(method, path.split('?')[0]!, type, answered);
    return answered;
  }

  /** The routes of the document, as `get /users/{id}`. */
  get routes(): string[] {
    return Object.entries<object>(this.document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
  }

  private compare(method: string, path: string, type: string, { status, headers, body }: Answered): void {
    const template = this.templateOf(method, path);
    const route = `${method} ${template}`;
    const bad = (what: string): unknown => this.undocumented.push(`${route}: ${what}`);
    const given = this.document.paths[template]?.[method]?.responses[String(status)];
    const response = this.resolved(given);
    if (response === undefined) {
      bad(`status ${String(status)} ${JSON.stringify(body)}`);
      return;
    }
    if (status < 300) this.succeeded.add(route);
    const known = Object.keys(response.headers ?? {}).map((one) => one.toLowerCase());
    const isKept = known.includes('cache-control') || PUBLIC.includes(route);
    if (!isKept && headers.get('cache-control') !== 'no-store') bad(`${String(status)} that may be stored`);
    for (const [name] of headers) {
      if (OURS.test(name) && !known.includes(name)) bad(`${String(status)} with the header ${name}`);
    }
    const content = response.content ?? {};
    if (type !== '' && content[type] === undefined) bad(`${String(status)} of the type ${type}`);
    if (type.endsWith('json') && content[type] !== undefined) {
      const place = given.$ref ?? `#/paths/${escaped(template)}/${method}/responses/${String(status)}`;
      for (const one of this.check(`${String(place)}/content/${escaped(type)}/schema`, body)) bad(one);
    }
  }

  private resolved(given: any): any {
    if (given?.$ref === undefined) return given;
    return String(given.$ref)
      .slice(2)
      .split('/')
      .reduce((at, key) => at[key], this.document);
  }

  /** The documented path that matches a path; one with fewer parameters, or a longer one, takes precedence. */
  private templateOf(method: string, path: string): string {
    const fitting = Object.keys(this.document.paths).filter(
      (template) =>
        this.document.paths[template][method] !== undefined &&
        new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    const [first] = fitting.sort((a, b) => a.split('{').length - b.split('{').length || b.length - a.length);
    return first ?? path;
  }
}

function parsed(type: string, text: string): unknown {
  return type.endsWith('json') ? (JSON.parse(text) as unknown) : null;
}

/** Escapes a key for a JSON pointer. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Calls a route as an admin. */
type AdminCall = (method: 'get' | 'put', path: string, body?: object) => Promise<any>;

/** What an electronic invoice must have of a buyer. */
export const PARTY = { address: { line1: 'Teestraße 1', country: 'DE' } };

/** Names the seller of a company, and reads the first invoice of what its customers pay from then on, in all forms. */
export async function firstInvoice(admin: AdminCall, pay: () => Promise<unknown>): Promise<void> {
  const seller = { name: 'Teehaus GmbH', ...PARTY, vat_id: 'DE136695976' };
  await admin('put', '/company', { seller });
  await admin('get', '/company');
  await pay();
  const [invoice] = await eventually(
    () => admin('get', '/invoices?size=1'),
    (found) => found.length > 0,
    30_000,
  );
  for (const extension of ['', '.html', '.pdf', '.xml'])
    await admin('get', `/invoices/${String(invoice._id.$oid)}${extension}`);
}
