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
  const root = ts.sys.getCurrentDirectory();
  const candidates = new Candidates();
  for (const file of own) {
    const path = file.fileName.replace(`${root}/`, '');
    if (!folders.some((folder) => path.startsWith(`${folder}/`)) || path.includes('.spec')) continue;
    for (const type of classesIn(file)) {
      for (const member of type.members.filter((one) => isMember(one))) {
        candidates.add(member, `${path}: ${type.name?.text ?? ''}.${member.name.getText()}`);
      }
    }
  }
  for (const file of own) removeReferred(candidates, file, checker);
  return candidates.left((member) => !isInherited(member, checker));
}

/** Members that nothing is known to refer to, by name: the compiler resolves only what has the name of one of them. */
class Candidates {
  private readonly byName = new Map<string, Map<ts.Declaration, string>>();
  private readonly all: Member[] = [];

  has(name: string): boolean {
    return this.byName.has(name);
  }

  add(member: Member, text: string): void {
    const name = nameOf(member.name);
    const same = this.byName.get(name) ?? new Map<ts.Declaration, string>();
    this.byName.set(name, same.set(member, text));
    this.all.push(member);
  }

  remove(name: string, declarations: readonly ts.Declaration[]): void {
    const same = this.byName.get(name);
    for (const declaration of declarations) same?.delete(declaration);
    if (same?.size === 0) this.byName.delete(name);
  }

  /** The texts of those that are left, in the order in which they were added. */
  left(isUnused: (member: Member) => boolean): string[] {
    return this.all.flatMap((member) => {
      const text = this.byName.get(nameOf(member.name))?.get(member);
      return text !== undefined && isUnused(member) ? [text] : [];
    });
  }
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

function isInherited(member: Member, checker: ts.TypeChecker): boolean {
  const name = member.name.getText();
  return ((member.parent as ts.ClassDeclaration).heritageClauses ?? [])
    .flatMap((clause) => [...clause.types])
    .some((base) => checker.getTypeAtLocation(base).getProperty(name) !== undefined);
}

/** Removes what the names in this file refer to; a declaration's own name refers to nothing. */
function removeReferred(candidates: Candidates, file: ts.SourceFile, checker: ts.TypeChecker): void {
  const open: ts.Node[] = [file];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    node.forEachChild((child) => void open.push(child));
    if (ts.isObjectBindingPattern(node)) {
      for (const element of node.elements) {
        const name = nameOf(element.propertyName ?? element.name);
        if (!candidates.has(name)) continue;
        const property = checker.getTypeAtLocation(node).getProperty(name);
        candidates.remove(name, property?.declarations ?? []);
      }
    } else if (isName(node) && candidates.has(nameOf(node)) && !isNameOfItsParent(node)) {
      candidates.remove(nameOf(node), checker.getSymbolAtLocation(node)?.declarations ?? []);
    }
  }
}

function isName(node: ts.Node): node is ts.Identifier | ts.PrivateIdentifier | ts.StringLiteral {
  return ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isStringLiteral(node);
}

function nameOf(node: ts.Node): string {
  return isName(node) ? node.text : node.getText();
}

function isNameOfItsParent(node: ts.Node): boolean {
  const parent = node.parent as ts.Node & { name?: ts.Node };
  return ts.isClassElement(parent) && parent.name === node;
}
