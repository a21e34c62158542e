import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

const CODE = /^[a-z_]+\.[a-z_]+$/;

/** The functions that create faults, and the position of the code among their arguments. */
const MAKERS = new Map([
  ['fault', 0],
  ['Fault', 0],
  ['fieldFault', 2],
]);

/**
 * Every fault code that appears in the sources: as an argument of `fault`, `fieldFault`, `Fault` or a function of the
 * same file with a parameter named `code`, or as `code` of a field error (an object with `path` and `message`).
 */
export function faultCodesIn(roots: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of roots.flatMap(sourcesUnder)) {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    for (const code of codesIn(file)) found.set(code, path);
  }
  return found;
}

function sourcesUnder(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => join(root, name));
}

function codesIn(file: ts.SourceFile): string[] {
  const makers = new Map([...MAKERS, ...ownMakers(file)]);
  const codes: string[] = [];
  const take = (node: ts.Node | undefined): void => {
    for (const text of textsIn(node)) if (CODE.test(text)) codes.push(text);
  };
  walk(file, (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const index = makers.get(nameOf(node.expression));
      if (index !== undefined) take(node.arguments?.[index]);
    } else if (ts.isObjectLiteralExpression(node)) {
      const fields = new Map(node.properties.map((one) => [one.name?.getText(file), one] as const));
      const code = fields.get('code');
      if (code && fields.has('path') && fields.has('message') && ts.isPropertyAssignment(code))
        take(code.initializer);
    } else if (named(node, 'code', file) && (ts.isParameter(node) || ts.isVariableDeclaration(node))) {
      take(node.initializer);
    }
  });
  return codes;
}

/** The functions and methods of a file that take a code, and its position among their parameters. */
function ownMakers(file: ts.SourceFile): [string, number][] {
  const makers: [string, number][] = [];
  walk(file, (node) => {
    if (!ts.isFunctionLike(node)) return;
    const index = node.parameters.findIndex((parameter) => named(parameter, 'code', file));
    const owner = ts.isArrowFunction(node) || ts.isFunctionExpression(node) ? node.parent : node;
    const name = (owner as { name?: ts.Node }).name?.getText(file);
    if (index >= 0 && name !== undefined) makers.push([name, index]);
  });
  return makers;
}

function named(node: ts.Node, name: string, file: ts.SourceFile): boolean {
  return (node as { name?: ts.Node }).name?.getText(file) === name;
}

function nameOf(callee: ts.Node): string {
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
}

/** The possible texts of an expression: `a ? 'x.y' : 'z.w'` has two. */
function textsIn(node: ts.Node | undefined): string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...textsIn(node.left), ...textsIn(node.right)];
  return [];
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}
