import * as l10n from '@vscode/l10n';
import type { PromptRow } from '../../shared/protocol/chatProtocol.ts';
import { inline } from '../../words/inline.ts';
import { keysOf } from '../../shared/mapTable.ts';
import type { BuiltInPromptId } from './builtInPrompts.ts';

/** What a row needs to know about a prompt file. */
export interface ListedPrompt<F> {
  readonly file: F;
  readonly name: string;
  readonly description: string;
  /** Name of the workspace folder that it's from; absent for the user's own. */
  readonly folder?: string;
}

/** What a row stands for. */
export type RowMeaning<F> =
  | { readonly type: 'builtIn'; readonly id: BuiltInPromptId }
  | { readonly type: 'file'; readonly file: F }
  | { readonly type: 'new' | 'trust' };

interface Meant<F> {
  readonly row: Omit<PromptRow, 'id'>;
  readonly meaning: RowMeaning<F>;
}

/** Maximum number of rows that a page shows. */
const mostRows = 100;
/** In UTF-16 units. */
const [longestName, longestDetail] = [80, 200];

/**
 * The rows that `/` lists in the message box: built-in prompts, the workspace's, the user's own, then New Prompt…, and
 * in Restricted Mode why the workspace's are missing. A page gets opaque IDs that are only valid for the last list.
 */
export class PromptRows<F> {
  readonly #find: () => Promise<readonly ListedPrompt<F>[]>;
  readonly #isRestricted: () => boolean;
  #given = new Map<string, RowMeaning<F>>();
  #lists = 0;
  /** The prompts since the last `/`, so that files aren't read again with each keystroke. */
  #found: Promise<readonly ListedPrompt<F>[]> | undefined;

  /** @param isRestricted whether a workspace's prompts are left out because the user doesn't trust it */
  constructor(find: () => Promise<readonly ListedPrompt<F>[]>, isRestricted: () => boolean = () => false) {
    this.#find = find;
    this.#isRestricted = isRestricted;
  }

  /** @param typed what follows the `/`; the list has prompts whose names contain it */
  async find(typed: string): Promise<readonly PromptRow[]> {
    this.#lists += 1;
    const list = this.#lists;
    if (typed === '' || this.#found === undefined) this.#found = this.#find();
    const prompts = await this.#found.catch((error: unknown) => {
      this.#found = undefined;
      throw error;
    });
    // Another list was requested in the meantime, and that one is shown.
    if (list !== this.#lists) return [];
    const ofFolders = Map.groupBy(
      prompts.filter(({ folder }) => folder !== undefined),
      ({ folder }) => folder ?? '',
    );
    const all = [
      ...builtInRows<F>(),
      ...[...ofFolders].flatMap(([folder, own]) => fileRows(inline(folder, longestName), own)),
      ...fileRows(
        l10n.t('Yours'),
        prompts.filter(({ folder }) => folder === undefined),
      ),
    ];
    const wanted = typed.toLowerCase();
    const named = all.filter(({ row }) => row.label.toLowerCase().includes(wanted));
    const more = [newRow<F>(), ...(this.#isRestricted() ? [trustRow<F>()] : [])];
    const rows = named.length === 0 ? [] : [...named.slice(0, mostRows), ...more];
    const given = rows.map(({ row, meaning }, index) => ({ id: `${list}.${index}`, row, meaning }));
    this.#given = new Map(given.map(({ id, meaning }) => [id, meaning]));
    return given.map(({ id, row }) => ({ id, ...row }));
  }

  /** Undefined for a row that isn't in the last list. */
  meaning(id: string): RowMeaning<F> | undefined {
    return this.#given.get(id);
  }
}

/** Their names are short and the same in every language, like those of commands. */
function builtInRows<F>(): readonly Meant<F>[] {
  const group = l10n.t('Built in');
  const rows: Readonly<Record<BuiltInPromptId, readonly [name: string, detail: string]>> = {
    explain: ['explain', l10n.t('Explain the selected code')],
    fix: ['fix', l10n.t('Fix the selected code')],
    simplify: ['simplify', l10n.t('Simplify the selected code')],
    generateTests: ['tests', l10n.t('Write tests for the selected code')],
    generateDocs: ['docs', l10n.t('Add documentation comments')],
    translate: ['translate', l10n.t('Translate the selected text')],
    review: ['review', l10n.t('Review the selected code')],
  };
  return keysOf(rows).map((id) => {
    const [name, detail] = rows[id];
    return { row: { group, label: `/${name}`, detail }, meaning: { type: 'builtIn', id } };
  });
}

function fileRows<F>(group: string, prompts: readonly ListedPrompt<F>[]): readonly Meant<F>[] {
  return prompts.map(({ file, name, description }) => ({
    row: { group, label: `/${inline(name, longestName)}`, detail: inline(description, longestDetail) },
    meaning: { type: 'file', file },
  }));
}

function newRow<F>(): Meant<F> {
  return { row: { group: '', label: l10n.t('New Prompt…'), detail: '' }, meaning: { type: 'new' } };
}

function trustRow<F>(): Meant<F> {
  return {
    row: { group: '', label: l10n.t('Trust This Workspace to See Its Prompts…'), detail: '' },
    meaning: { type: 'trust' },
  };
}
