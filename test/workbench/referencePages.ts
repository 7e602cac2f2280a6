/** `npm run docs`: writes docs/settings.md and docs/commands.md from the manifest and its English texts. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './folders.ts';

interface Setting {
  readonly type: string | readonly string[];
  readonly default: unknown;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly order?: number;
  readonly tags?: readonly string[];
  readonly scope?: string;
  /** For a list of objects: their fields. */
  readonly items?: { readonly properties?: Readonly<Record<string, Field>> };
}

interface Field {
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
}

interface MenuItem {
  readonly command?: string;
  readonly when?: string;
}

interface KeyBinding {
  readonly command: string;
  readonly key: string;
  readonly mac: string;
  readonly when?: string;
  readonly args?: unknown;
}

/** The parts of package.json that the pages show. Texts are `%keys%` of package.nls.json. */
export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly order?: number;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
    readonly keybindings: readonly KeyBinding[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
  };
}

type Texts = Readonly<Record<string, string>>;

const notice = '<!-- Written by `npm run docs` from package.json and package.nls.json. Change it there. -->';

/** @throws {Error} if the manifest names a text that doesn't exist. */
function textOf(texts: Texts, key: string): string {
  if (!/^%.+%$/.test(key)) return key;
  const text = texts[key.slice(1, -1)];
  if (text === undefined) throw new Error(`package.nls.json has no ${key}`);
  return text;
}

function anchorOf(id: string): string {
  return `#${id.toLowerCase().replaceAll(/[^\w-]/g, '')}`;
}

/** A settings text for a page outside VS Code, where commands aren't links. */
function pageText(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\(command:[^)]*\)/g, '**$1**')
    .replaceAll(/`#([\w.]+)#`/g, (_, id: string) => `[\`${id}\`](${anchorOf(id)})`);
}

function inOrder<T extends { readonly order?: number }>(list: readonly T[]): readonly T[] {
  return list.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
}

/** @returns for example `Default: 60. From 0 to 10,080.` */
function limitsOf(setting: Setting): string {
  const isNumber = [setting.type].flat().some((type) => type === 'integer' || type === 'number');
  const number = (value: number): string => value.toLocaleString('en-US');
  const value = setting.default === '' ? 'empty' : `\`${JSON.stringify(setting.default).replaceAll('"', '')}\``;
  const parts = [`Default: ${value}.`];
  if (isNumber) {
    const { minimum, exclusiveMinimum, maximum } = setting;
    const from = minimum === undefined ? undefined : `from ${number(minimum)}`;
    const above = exclusiveMinimum === undefined ? undefined : `above ${number(exclusiveMinimum)}`;
    const to = maximum === undefined ? undefined : `to ${number(maximum)}`;
    const range = [from ?? above, to].filter((part) => part !== undefined).join(' ');
    if (range !== '') parts.push(`${range[0]?.toUpperCase()}${range.slice(1)}.`);
  }
  if (setting.scope !== 'application') parts.push('A workspace can change it.');
  if (setting.tags?.includes('advanced') === true) parts.push('Advanced.');
  return parts.join(' ');
}

/** @returns the fields of a list's objects, one line each */
function fieldsOf({ items }: Setting, texts: Texts): readonly string[] {
  const fields = Object.entries(items?.properties ?? {});
  if (fields.length === 0) return [];
  const lines = fields.map(([name, field]) => {
    const values = (field.enum ?? []).map((value) => `\`${value}\``).join(', ');
    return `- \`${name}\`: ${pageText(textOf(texts, field.markdownDescription ?? ''))}${values === '' ? '' : ` One of ${values}.`}`;
  });
  return [lines.join('\n')];
}

/** docs/settings.md */
export function settingsPage(manifest: Manifest, texts: Texts): string {
  const sections = inOrder(manifest.contributes.configuration).map(({ title, properties }) => {
    const settings = inOrder(Object.entries(properties).map(([id, setting]) => ({ id, ...setting })));
    const entries = settings.map((setting) => {
      const words = setting.markdownEnumDescriptions ?? setting.enumDescriptions ?? [];
      const values = (setting.enum ?? []).map(
        (value, index) => `- \`${value}\`: ${pageText(textOf(texts, words[index] ?? ''))}`,
      );
      return [
        `### \`${setting.id}\``,
        pageText(textOf(texts, setting.markdownDescription ?? '')),
        ...(values.length > 0 ? [values.join('\n')] : []),
        ...fieldsOf(setting, texts),
        limitsOf(setting),
      ].join('\n\n');
    });
    return [`## ${textOf(texts, title)}`, ...entries].join('\n\n');
  });
  const lead =
    'Run **Parlance: Open Settings** to change these. Unless a setting says that a workspace can change it, only your user settings count.';
  return `${['# Settings', notice, lead, ...sections].join('\n\n')}\n`;
}

/** By ID, in the order of the page. The first matching pattern decides. */
const groups: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Source Control', /Commit/],
  ['Checks', /Check/],
  ['Requests', /Request|Response|Usage/],
  ['Services', /Service|BaseUrl|ApiKey|Connection|Page$|showLog|Settings|Diagnostics/],
  ['Video, images, and audio', /Video|Image|Audio|Media/],
  ['Models', /Model/],
  ['Prompts', /Prompt|Selection|translateText|Change|Tests|Docs/],
  ['Chat', /Chat|Conversation|Reply|Context/],
];
const otherGroup = 'Other';
const groupOrder = [
  'Chat',
  'Prompts',
  'Models',
  'Requests',
  'Checks',
  'Video, images, and audio',
  'Source Control',
  'Services',
];

function groupOf(id: string): string {
  return groups.find(([, pattern]) => pattern.test(id))?.[0] ?? otherGroup;
}

/** Menus with one place each. */
const menuPlaces = new Map([
  ['parlance.copyRequest', 'request row'],
  ['comments/commentThread/title', 'change in the editor'],
  ['explorer/context', 'Explorer'],
  ['scm/title', 'Source Control view'],
  ['testing/item/context', 'Testing view'],
]);

/** Pages in tabs, by the ID of their panel. */
const pagePlaces = new Map([
  ['parlance.chatEditor', 'chat tab'],
  ['parlance.modelDetails', 'model page'],
  ['parlance.serviceDetails', 'service page'],
]);

/**
 * Where a menu item is shown, in words.
 * @throws {Error} for a place without words, whose ID means nothing to a reader.
 */
function placeOf(menu: string, item: MenuItem, viewNames: ReadonlyMap<string, string>): string {
  const when = item.when ?? '';
  const view = viewNames.get(/view == ([\w.]+)/.exec(when)?.[1] ?? '');
  if (menu === 'view/item/context') {
    if (view !== 'Models') return 'request row';
    return /viewItem == service\b/.test(when) ? 'service row' : 'model row';
  }
  if (/resourceScheme == parlance-proposal/.test(when)) return 'diff of a change';
  if (menu === 'parlance.editor') return "editor's context menu";
  if (view !== undefined) return `${view} view`;
  if (menu === 'editor/title' && when.includes('resourceFilename =~')) return "editor's title bar";
  const page = /activeWebviewPanelId == '([\w.]+)'/.exec(when)?.[1] ?? '';
  const place = menuPlaces.get(menu) ?? pagePlaces.get(page);
  if (place === undefined) throw new Error(`placeOf has no words for ${menu}, ${when}`);
  return place;
}

function paletteWord(palette: readonly MenuItem[], command: string): string {
  const item = palette.find((each) => each.command === command);
  if (item === undefined) return 'always';
  return item.when === 'false' ? '–' : 'when it applies';
}

/** `Ctrl+Alt+H`, as VS Code writes it. */
function keyText(key: string): string {
  return key.replaceAll(/[a-z]+/g, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
}

const shortcuts = [
  { key: 'ctrl+alt+e', command: 'parlance.explainSelection', when: 'editorHasSelection' },
  { key: 'ctrl+alt+f', command: 'parlance.fixSelection', args: { target: 'replace' }, when: 'editorHasSelection' },
  { key: 'ctrl+alt+r', command: 'parlance.runPrompt' },
  { key: 'ctrl+alt+y', command: 'parlance.acceptChange', when: 'parlance.proposalReady' },
  { key: 'ctrl+alt+n', command: 'parlance.rejectChange', when: 'parlance.proposalReady' },
];

/** The command of ours that a key runs. VS Code writes the key of a button's own command into a title bar's button. */
function commandOf({ command, args }: KeyBinding): string {
  const [first] = command === 'runCommands' ? Object(args).commands : [command];
  return String(first);
}

/**
 * docs/commands.md
 * @throws {Error} if a suggested shortcut runs a command that doesn't exist.
 */
export function commandsPage(manifest: Manifest, texts: Texts): string {
  const { commands, keybindings, menus, views } = manifest.contributes;
  const viewNames = new Map(
    Object.values(views)
      .flat()
      .map(({ id, name }) => [id, textOf(texts, name)]),
  );
  const palette = menus['commandPalette'] ?? [];
  const places = new Map<string, Set<string>>();
  for (const [menu, items] of Object.entries(menus)) {
    if (menu === 'commandPalette') continue;
    for (const item of items) {
      if (item.command === undefined) continue;
      // A button in the chat's title is a command of its own, which only means another chat.
      const command = item.command.replace(/InView$/, '');
      const found = places.get(command) ?? new Set();
      places.set(command, found.add(placeOf(menu, item, viewNames)));
    }
  }
  // The rest is only run from the rows of lists, so nobody would look it up.
  const isOffered = (command: string) => paletteWord(palette, command) !== '–' || places.has(command);
  const sections = [...groupOrder, otherGroup].flatMap((group) => {
    const rows = commands
      .filter(({ command }) => groupOf(command) === group && isOffered(command))
      .map(({ command, title }) => {
        const cells = [paletteWord(palette, command), [...(places.get(command) ?? [])].join(', ') || '–'];
        return `| **${textOf(texts, title)}** | \`${command}\` | ${cells.join(' | ')} |`;
      });
    if (rows.length === 0) return [];
    return [`## ${group}\n\n| Command | ID | Command Palette | Also in |\n|---|---|---|---|\n${rows.join('\n')}`];
  });
  // The others keep a shortcut of VS Code's from a place where a page of ours has it.
  const ours = keybindings.filter((binding) => commandOf(binding) !== 'noop');
  for (const command of [...ours.map(commandOf), ...shortcuts.map((shortcut) => shortcut.command)]) {
    if (!commands.some((each) => each.command === command)) throw new Error(`${command} isn't a command any longer`);
  }
  const defaults = ours.map((binding) => {
    const { key, mac, when } = binding;
    const title = commands.find((each) => each.command === commandOf(binding))?.title ?? '';
    const where =
      when === undefined ? 'Everywhere' : when.includes('proposal') ? 'In a proposed change' : 'In the chat';
    return `| ${[keyText(key), keyText(mac), `**${textOf(texts, title)}**`, where].join(' | ')} |`;
  });
  const keys = shortcuts.map((shortcut) => `  ${JSON.stringify(shortcut)}`).join(',\n');
  const bindings = `## Shortcuts

| Shortcut | On a Mac | What it does | Where |
|---|---|---|---|
${defaults.join('\n')}

The first is free in VS Code itself and in the extensions that most people have installed (checked in November 2026:
VS Code 1.139, and the manifests of Python, Python Debugger, Jupyter, C/C++, Java, GitLens, ESLint, Prettier, Live Server,
Code Runner, and Copilot Chat; Pylance's isn't public). The others work only in the places named, and are those of VS
Code's own chat.

## Suggested shortcuts

Run **Preferences: Open Keyboard Shortcuts (JSON)** and add the ones you want:

\`\`\`json
[
${keys}
]
\`\`\`

A command that runs a prompt takes \`args\` with a \`target\`: \`newChat\`, \`currentChat\`, \`beside\`, \`cursor\`, \`replace\`, or \`compare\`.`;
  const lead =
    'Most commands are in the Command Palette under "Parlance", some only when they apply. The last column says where else a command is.';
  return `${['# Commands', notice, lead, ...sections, bindings].join('\n\n')}\n`;
}

/** Both pages as they should be, by their paths in the project. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(projectFolder, file), 'utf8')) as unknown;
  const manifest = (await read('package.json')) as Manifest;
  const texts = (await read('package.nls.json')) as Texts;
  return { 'docs/settings.md': settingsPage(manifest, texts), 'docs/commands.md': commandsPage(manifest, texts) };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await referencePages())) await writeFile(join(projectFolder, path), text);
}
