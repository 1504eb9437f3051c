import { fileURLToPath } from 'node:url';
import {
  type CallExpression,
  type Identifier,
  type Node,
  type SourceFile,
  isCallExpression,
  isFunctionDeclaration,
  isIdentifier,
  isPropertyAccessExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast';
import {
  API,
  type Checker,
  type Signature,
  SignatureKind,
  type Symbol,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';
import type { Shape } from './shape.ts';
import { TypeShapes, isOpen } from './type-shape.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A place of the product that executes a statement, or that calls a function whose type argument is the row. */
export interface StatementSite {
  /** `path:line:column` */
  id: string;
  path: string;
  /** The expression that is wrapped: the execution, or the name of the called function. */
  start: number;
  end: number;
  kind: 'execution' | 'call';
  /** The declared row; undefined if it depends on the type argument of a caller. */
  row?: Shape;
}

interface Call {
  file: SourceFile;
  node: CallExpression;
}

/** Finds every statement of the product with its declared row. */
export function findStatements(): StatementSite[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${root}server/tsconfig.json`] }).getProjects();
    if (!project) throw new Error('server/tsconfig.json could not be opened.');
    const { program, checker } = project;
    const names = program.getSourceFileNames();
    const own = names.filter((name) => name.startsWith(`${root}server/src/`) && !name.endsWith('.test.ts'));
    const calls = own.flatMap((name) => {
      const file = program.getSourceFile(name);
      return file ? callsIn(file) : [];
    });
    return findSites(checker, calls);
  } finally {
    api.close();
  }
}

function callsIn(file: SourceFile): Call[] {
  const calls: Call[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node)) calls.push({ file, node });
    node.forEachChild(visit);
  };
  visit(file);
  return calls;
}

function findSites(checker: Checker, calls: readonly Call[]): StatementSite[] {
  const sites: StatementSite[] = [];
  const shapes = new TypeShapes(checker);
  /** Functions whose type argument decides the row of a statement, which are followed to their callers. */
  const open = new Map<number, string>();
  const addSite = (kind: StatementSite['kind'], { file, node }: Call, wrapped: Node, row: Type): void => {
    const isGeneric = isOpen(row);
    const declared = isGeneric ? undefined : shapes.of(row);
    sites.push({ kind, ...positionOf(file, wrapped), ...(declared && { row: declared }) });
    const symbol = isGeneric ? checker.getSymbolAtLocation(functionAround(node)) : undefined;
    if (symbol) open.set(symbol.id, symbol.name);
  };
  const executions = calls.filter(({ node }) => isExecution(node));
  // One question for all of them, because each one is a message to the compiler.
  const types = checker.getTypeAtLocation(executions.map(({ node }) => node));
  for (const [index, call] of executions.entries()) {
    const type = types[index];
    const row = type && executedRow(checker, type);
    if (row) addSite('execution', call, call.node, row);
  }
  const followed = new Set<Call>();
  for (let before = -1; before < open.size;) {
    before = open.size;
    const names = new Set(open.values());
    for (const call of calls) {
      const name = call.node.expression;
      if (followed.has(call) || !isIdentifier(name) || !names.has(name.text)) continue;
      if (!open.has(resolve(checker, name)?.id ?? 0)) continue;
      followed.add(call);
      const row = rowOfCall(checker, call.node);
      if (!row) throw new Error(`${positionOf(call.file, name).id}: the row of ${name.text} cannot be found.`);
      addSite('call', call, name, row);
    }
  }
  return sites;
}

function resolve(checker: Checker, name: Identifier): Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The name of the outermost function around a node. */
function functionAround(node: Node): Node {
  let name: Node | undefined;
  for (let at: Node | undefined = node; at; at = at.parent) {
    if ((isFunctionDeclaration(at) || isVariableDeclaration(at)) && at.name) name = at.name;
  }
  if (!name) throw new Error('A statement with an undeclared row is in no function.');
  return name;
}

/** Whether a call may be `statement.execute(db)` or `client.query(text)`. */
function isExecution({ expression }: CallExpression): boolean {
  return isPropertyAccessExpression(expression) && /^(execute|query)$/.test(expression.name.text);
}

/** The row of `Promise<QueryResult<row>>`; undefined for other types. */
function executedRow(checker: Checker, type: Type): Type | undefined {
  const result = argumentOf(checker, type, 'Promise');
  return result && argumentOf(checker, result, 'QueryResult');
}

function argumentOf(checker: Checker, type: Type, name: string): Type | undefined {
  return type.getSymbol()?.name === name && type.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined;
}

/** The row that a caller declares: by its type argument, by what its option `row` takes, or by the result. */
function rowOfCall(checker: Checker, node: CallExpression): Type | undefined {
  const [explicit] = node.typeArguments ?? [];
  if (explicit) return checker.getTypeFromTypeNode(explicit);
  for (const argument of node.arguments) {
    const type = checker.getTypeAtLocation(argument);
    const option = type && checker.getPropertyOfType(type, 'row');
    const signature = option && signatureOf(checker, checker.getTypeOfSymbol(option));
    const selected = signature && checker.getParameterType(signature, 0);
    if (selected) return selected.isTypeParameter() ? checker.getBaseConstraintOfType(selected) : selected;
  }
  const result = checker.getTypeAtLocation(node);
  return result && rowOfResult(checker, result);
}

function signatureOf(checker: Checker, type: Type | undefined): Signature | undefined {
  return type && checker.getSignaturesOfType(type, SignatureKind.Call)[0];
}

/** The row type of the result of a function: an array, a page with `list`, a promise or generator of them, or a function with such a result. */
function rowOfResult(checker: Checker, type: Type): Type | undefined {
  const name = type.getSymbol()?.name;
  if (type.isTypeReference() && (name === 'Promise' || name === 'AsyncGenerator' || checker.isArrayType(type))) {
    const [inner] = checker.getTypeArguments(type);
    return inner && (checker.isArrayType(type) ? inner : rowOfResult(checker, inner));
  }
  const list = checker.getPropertyOfType(type, 'list');
  const listType = list && checker.getTypeOfSymbol(list);
  if (listType) return rowOfResult(checker, listType);
  const signature = signatureOf(checker, type);
  const returned = signature && checker.getReturnTypeOfSignature(signature);
  return returned && rowOfResult(checker, returned);
}

function positionOf(file: SourceFile, node: Node): Pick<StatementSite, 'id' | 'path' | 'start' | 'end'> {
  const path = file.fileName.slice(root.length);
  const start = node.getStart(file);
  const before = file.text.slice(0, start).split('\n');
  return { id: `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`, path, start, end: node.end };
}
