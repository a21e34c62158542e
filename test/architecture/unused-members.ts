import ts from 'typescript';

type Member = ts.MethodDeclaration | ts.PropertyDeclaration | ts.GetAccessorDeclaration;

/**
 * The unreferenced methods, getters and properties of classes in these folders, as `path: Class.member`.
 * Excludes decorated members, which a framework finds by their decorators, and members that a base class or an
 * interface declares, which are called through those.
 */
export function unusedMembers(folders: readonly string[]): string[] {
  const config = ts.getParsedCommandLineOfConfigFile('tsconfig.json', undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  if (config === undefined) throw new Error('tsconfig.json cannot be read');
  const program = ts.createProgram(config.fileNames, config.options);
  const checker = program.getTypeChecker();
  const own = program.getSourceFiles().filter(({ fileName }) => !/node_modules|\/dist\//.test(fileName));
  const referred = new Set(own.flatMap((file) => [...declarationsReferredTo(file, checker)]));
  const root = ts.sys.getCurrentDirectory();
  return own.flatMap((file) => {
    const path = file.fileName.replace(`${root}/`, '');
    if (!folders.some((folder) => path.startsWith(`${folder}/`)) || path.includes('.spec')) return [];
    return classesIn(file).flatMap((type) =>
      type.members
        .filter((member) => isMember(member))
        .filter((member) => !referred.has(member) && !isInherited(type, member, checker))
        .map((member) => `${path}: ${type.name?.text ?? ''}.${member.name.getText()}`),
    );
  });
}

function classesIn(file: ts.SourceFile): ts.ClassDeclaration[] {
  const found: ts.ClassDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassDeclaration(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isMember(member: ts.ClassElement): member is Member {
  const is =
    ts.isMethodDeclaration(member) || ts.isPropertyDeclaration(member) || ts.isGetAccessorDeclaration(member);
  return is && (ts.getDecorators(member) ?? []).length === 0;
}

function isInherited(type: ts.ClassDeclaration, member: Member, checker: ts.TypeChecker): boolean {
  const name = member.name.getText();
  return (type.heritageClauses ?? [])
    .flatMap((clause) => [...clause.types])
    .some((base) => checker.getTypeAtLocation(base).getProperty(name) !== undefined);
}

/** The declarations that the names in this file refer to, excluding a declaration's own name. */
function* declarationsReferredTo(file: ts.SourceFile, checker: ts.TypeChecker): Generator<ts.Declaration> {
  const open: ts.Node[] = [file];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    node.forEachChild((child) => void open.push(child));
    for (const symbol of symbolsOf(node, checker)) yield* symbol.declarations ?? [];
  }
}

function symbolsOf(node: ts.Node, checker: ts.TypeChecker): ts.Symbol[] {
  if (ts.isObjectBindingPattern(node)) {
    const type = checker.getTypeAtLocation(node);
    return node.elements.flatMap((element) => {
      const name = (element.propertyName ?? element.name).getText();
      return known(type.getProperty(name));
    });
  }
  const isName = ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isStringLiteral(node);
  if (!isName || isNameOfItsParent(node)) return [];
  return known(checker.getSymbolAtLocation(node));
}

function isNameOfItsParent(node: ts.Node): boolean {
  const parent = node.parent as ts.Node & { name?: ts.Node };
  return ts.isClassElement(parent) && parent.name === node;
}

function known(symbol: ts.Symbol | undefined): ts.Symbol[] {
  return symbol === undefined ? [] : [symbol];
}
