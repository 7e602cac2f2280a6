import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { projectFolder } from './folders.ts';

type Node = Readonly<Record<string, unknown>>;

/** What a file declares at its top level, and where it imports the rest from. */
interface Declarations {
  /** Types and constants by name. */
  readonly byName: ReadonlyMap<string, Node>;
  /** File names by the imported name. */
  readonly imports: ReadonlyMap<string, string>;
}

const declarations = new Map<string, Promise<Declarations>>();

/**
 * The tags of a union of messages: each `type` of its members, also of those that another type names.
 * @param file in `src/shared/`
 * @throws {Error} for a type without tags.
 */
export async function messageTags(file: string, name: string): Promise<readonly string[]> {
  const tags = [...(await tagsOfName(file, name))];
  if (tags.length === 0) throw new Error(`${file} has no messages in ${name}`);
  return tags;
}

/** The types of messages to a page or to its host that a file exports, by their names. */
export async function messageTypes(file: string): Promise<readonly string[]> {
  const { byName } = await (declarations.get(file) ?? declare(file));
  return [...byName.keys()].filter((name) => /^(\w*To(Page|Host)|To\w+(Page|Host))$/.test(name));
}

function declare(file: string): Promise<Declarations> {
  const declared = readFile(join(projectFolder, 'src/shared', file), 'utf8').then((text) => {
    const byName = new Map<string, Node>();
    const imports = new Map<string, string>();
    for (const each of parseSync(file, text).program.body) {
      const statement = node(each);
      const declaration = node(statement['declaration'] ?? statement);
      if (declaration['type'] === 'TSTypeAliasDeclaration')
        byName.set(nameOf(declaration['id']), node(declaration['typeAnnotation']));
      for (const { id, init } of list(declaration['declarations'])) byName.set(nameOf(id), node(init));
      if (statement['type'] === 'ImportDeclaration')
        for (const { imported } of list(statement['specifiers']))
          imports.set(nameOf(imported), posix.join(posix.dirname(file), String(node(statement['source'])['value'])));
    }
    return { byName, imports };
  });
  declarations.set(file, declared);
  return declared;
}

async function tagsOfName(file: string, name: string): Promise<ReadonlySet<string>> {
  const { byName, imports } = await (declarations.get(file) ?? declare(file));
  const from = imports.get(name);
  if (from !== undefined) return tagsOfName(from, name);
  return tagsOf(file, byName.get(name) ?? {});
}

async function tagsOf(file: string, type: Node): Promise<ReadonlySet<string>> {
  switch (type['type']) {
    case 'TSUnionType':
    case 'TSIntersectionType': {
      const all = await Promise.all(list(type['types']).map((each) => tagsOf(file, each)));
      return new Set(all.flatMap((each) => [...each]));
    }
    case 'TSParenthesizedType':
      return tagsOf(file, node(type['typeAnnotation']));
    case 'TSTypeLiteral': {
      const tag = list(type['members']).find((member) => nameOf(member['key']) === 'type');
      return tag === undefined ? new Set() : wordsOf(file, node(node(tag['typeAnnotation'])['typeAnnotation']));
    }
    case 'TSTypeReference': {
      const [whole, part] = list(node(type['typeArguments'])['params']);
      const name = nameOf(type['typeName']);
      if (name === 'Extract' && part !== undefined) return tagsOf(file, part);
      return whole === undefined ? tagsOfName(file, name) : tagsOf(file, whole);
    }
    default:
      return new Set();
  }
}

/** The texts of a type: literals, a union of them, or each one of a constant list. */
async function wordsOf(file: string, type: Node): Promise<ReadonlySet<string>> {
  switch (type['type']) {
    case 'TSLiteralType':
      return new Set([String(node(type['literal'])['value'])]);
    case 'TSUnionType': {
      const all = await Promise.all(list(type['types']).map((each) => wordsOf(file, each)));
      return new Set(all.flatMap((each) => [...each]));
    }
    case 'TSParenthesizedType':
      return wordsOf(file, node(type['typeAnnotation']));
    case 'TSIndexedAccessType':
      return wordsOf(file, node(type['objectType']));
    case 'TSTypeQuery': {
      const constant = (await (declarations.get(file) ?? declare(file))).byName.get(nameOf(type['exprName']));
      const elements = list(node(constant?.['expression'])['elements']);
      return new Set(elements.map((each) => String(each['value'])));
    }
    default:
      return new Set();
  }
}

function node(value: unknown): Node {
  return Object(value);
}

function list(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.map(node) : [];
}

function nameOf(identifier: unknown): string {
  return String(node(identifier)['name'] ?? node(identifier)['value']);
}
