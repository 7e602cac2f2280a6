import { dirname, join } from 'node:path/posix';
import type { Node } from 'oxc-parser';
import type { RuleContext } from './ruleContext.ts';

/** What all features of src/vscode build on. Each of these can import those before it. */
const ground = ['platform', 'disk', 'settings', 'service', 'problems'];

/** The features in their order, with those above that each imports; `start` opens what they share. */
const editor: Readonly<Record<string, readonly string[]>> = {
  attachments: [],
  statusBar: [],
  requests: [],
  commitMessage: ['attachments'],
  experiments: [],
  models: ['requests'],
  conversations: ['attachments'],
  prompts: ['attachments', 'statusBar'],
  measure: ['experiments', 'models', 'prompts', 'requests'],
  connection: ['models', 'requests'],
  diagnostics: ['models'],
  languageModel: ['models', 'requests'],
  media: ['attachments', 'models'],
  agentTools: ['attachments', 'media', 'models', 'requests'],
  checks: ['attachments', 'experiments', 'prompts', 'requests'],
  participant: ['agentTools', 'attachments', 'languageModel', 'media'],
  chat: ['attachments', 'conversations', 'models', 'requests', 'statusBar'],
  compare: ['attachments', 'chat', 'experiments', 'models', 'requests'],
  native: ['agentTools', 'commitMessage', 'diagnostics', 'languageModel', 'media', 'participant'],
  start: ['attachments', 'connection', 'conversations', 'experiments', 'media', 'models', 'requests', 'statusBar'],
};

/** Folders that a folder of src/webview can import, and the parts of the chat that other pages share. */
const pages: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  markdown: ['kit'],
  chat: ['kit', 'markdown'],
  measure: ['kit'],
  media: ['kit'],
  compare: [
    'kit',
    'markdown',
    'chat/composer',
    'chat/speed',
    ...['reply', 'composer', 'attachments', 'parameters'].map((name) => `chat/${name}.css`),
  ],
  request: ['kit', 'markdown'],
  usage: ['kit'],
  checks: ['kit'],
};

/** What the folders of each layer can import, apart from the ground. */
export const importable = { vscode: editor, webview: pages } as const;

/** An import that crosses from one folder of a layer to another. */
export interface Crossing {
  readonly layer: keyof typeof importable;
  readonly from: string;
  /** In the layer: `chat/speed/liveReply.ts`. */
  readonly path: string;
}

/** Undefined if it stays in its folder, or leaves the layer. @param file a path with slashes */
export function crossingOf(file: string, specifier: string): Crossing | undefined {
  const { layer, rest = '' } = /^(?:.*\/)?src\/(?<layer>vscode|webview)\/(?<rest>.+)$/.exec(file)?.groups ?? {};
  if ((layer !== 'vscode' && layer !== 'webview') || !specifier.startsWith('.')) return undefined;
  const [from = '', ...inside] = rest.split('/');
  const target = join(layer, dirname(rest), specifier);
  if (inside.length === 0 || !target.startsWith(`${layer}/`)) return undefined;
  const path = target.slice(layer.length + 1);
  return path.startsWith(`${from}/`) ? undefined : { layer, from, path };
}

/** Why this import isn't allowed; undefined if it is. */
export function whyNoImport({ layer, from, path }: Crossing): string | undefined {
  const to = path.split('/')[0] ?? '';
  const isGround = (name: string) => layer === 'vscode' && ground.includes(name);
  const order = [...(layer === 'vscode' ? ground : []), ...Object.keys(importable[layer])];
  if (order.indexOf(to) >= order.indexOf(from)) {
    return `${from}/ can't import ${to}/, which isn't above it in the order of build/lint/featureOrder.ts.`;
  }
  const isListed = importable[layer][from]?.some((allowed) => path === allowed || path.startsWith(`${allowed}/`));
  if (isGround(to) || isListed === true) return undefined;
  return `${from}/ can't import this of ${to}/, unless build/lint/featureOrder.ts lists it.`;
}

/** An import of a feature or a page that doesn't build on it, of any kind: also of types, and while it runs. */
export const featureOrder = {
  create: (context: RuleContext) => {
    const file = context.filename.replaceAll('\\', '/');
    const check = (node: Node & { readonly source: Node | null }): void => {
      if (node.source?.type !== 'Literal' || typeof node.source.value !== 'string') return;
      const crossing = crossingOf(file, node.source.value);
      const message = crossing && whyNoImport(crossing);
      if (message !== undefined) context.report({ node: node.source, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};
