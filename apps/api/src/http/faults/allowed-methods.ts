import type { Request } from 'express';

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Returns the methods that exist for the path of a request, which distinguishes a wrong method from a wrong path. */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as unknown as { router: { stack: readonly Layer[] } }).router;
  const allowed = new Set<string>();
  for (const layer of stack) {
    if (!layer.route || !layer.match(request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) allowed.add(method.toUpperCase());
  }
  allowed.delete('_ALL');
  return [...allowed].sort();
}
