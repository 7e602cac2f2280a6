import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { costOfUse, type KnownPrices } from '../../core/chat/modelUse.ts';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import { searchedWords } from '../../shared/text/findText.ts';
import { plainWords } from '../../core/safety/plainWords.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { costText, namedCost } from '../../words/amount.ts';
import { timeOrDateText } from '../../words/moment.ts';
import { numberText } from '../../words/numberText.ts';
import type { ConversationSearch } from '../conversations/conversationSearch.ts';
import type { ConversationStore, ConversationSummary } from '../conversations/conversationStore.ts';
import type { ShownItem } from '../platform/plainItems.ts';
import { plainWindow } from '../platform/plainWindow.ts';

// Files are searched per word, not per keystroke.
const TYPING_PAUSE_MS = 150;

interface ConversationItem extends ShownItem {
  readonly summary?: ConversationSummary;
}

type Act = 'open' | 'openInEditor' | 'rename' | 'export' | 'delete' | 'showFile';

/** What the user selected in the list, and for which conversation. */
export interface ConversationChoice {
  readonly act: Act;
  readonly summary: ConversationSummary;
  /** The search text; empty without one. */
  readonly searched: string;
}

/** The list of conversations: typing searches titles and beginnings, Enter opens, the buttons do the rest. */
export async function pickConversation(
  store: Pick<ConversationStore, 'list' | 'search'>,
  currentId: string | undefined,
  catalog: Pick<ModelCatalogs, 'load' | 'index'>,
): Promise<ConversationChoice | undefined> {
  const buttons = rowButtons();
  const pick = plainWindow.createQuickPick<ConversationItem>();
  pick.title = vscode.l10n.t('Conversations');
  pick.placeholder = vscode.l10n.t('Search conversations');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.busy = true;
  pick.show();
  let searching = new AbortController();
  try {
    const chosen = new Promise<ConversationChoice | undefined>((resolve) => {
      pick.onDidHide(() => resolve(undefined));
      pick.onDidAccept(() => {
        const summary = pick.selectedItems[0]?.summary;
        if (summary !== undefined)
          resolve({
            act: summary.unreadable === undefined ? 'open' : 'showFile',
            summary,
            searched: pick.value.trim(),
          });
      });
      pick.onDidTriggerItemButton(({ item, button: pressed }) => {
        const act = buttons.find((candidate) => candidate.button === pressed)?.act;
        if (act !== undefined && item.summary !== undefined) resolve({ act, summary: item.summary, searched: '' });
      });
    });
    // The stored model lists have the prices.
    const [summaries] = await Promise.all([store.list(), catalog.load()]);
    const known = { find: (model: ModelRef) => catalog.index.find(model)?.model };
    const rows = summaries.map((summary) => {
      const acts = actsOf(summary);
      const own = buttons.filter(({ act }) => acts.includes(act)).map((entry) => entry.button);
      return { ...rowOf(summary, currentId, known), buttons: own, summary };
    });
    const search = store.search();
    pick.items = rows.length > 0 ? rows : [emptyRow()];
    pick.busy = false;
    const searchFor = (value: string): void => {
      searching.abort();
      searching = new AbortController();
      void searchInside(search, pick, rows, value.trim(), searching.signal);
    };
    pick.onDidChangeValue(searchFor);
    // The user might have typed while the rows were read.
    if (pick.value !== '') searchFor(pick.value);
    return await chosen;
  } finally {
    searching.abort();
    pick.dispose();
  }
}

function emptyRow(): ConversationItem {
  return {
    label: vscode.l10n.t('No conversations yet'),
    description: vscode.l10n.t('Your conversations appear here.'),
  };
}

interface RowButton {
  readonly act: Act;
  readonly button: vscode.QuickInputButton;
}

function rowButtons(): readonly RowButton[] {
  return [
    { act: 'openInEditor', button: button('open-preview', vscode.l10n.t('Open in Editor')) },
    { act: 'rename', button: button('edit', vscode.l10n.t('Rename…')) },
    { act: 'export', button: button('export', vscode.l10n.t('Export as Markdown…')) },
    { act: 'delete', button: button('trash', vscode.l10n.t('Delete')) },
    { act: 'showFile', button: button('folder-opened', vscode.l10n.t('Show File')) },
  ];
}

function actsOf({ unreadable, draft }: ConversationSummary): readonly Act[] {
  if (unreadable !== undefined) return ['showFile'];
  return draft === undefined ? ['openInEditor', 'rename', 'export', 'delete'] : ['openInEditor', 'delete'];
}

/** VS Code only matches one piece of a row. This adds those with all the words, in the row or in the messages. */
async function searchInside(
  search: ConversationSearch,
  pick: vscode.QuickPick<ConversationItem>,
  rows: readonly ConversationItem[],
  text: string,
  signal: AbortSignal,
): Promise<void> {
  await pause(TYPING_PAUSE_MS);
  if (signal.aborted) return;
  const found = text.length < 2 ? new Set<string>() : await search.find(text, signal);
  if (signal.aborted || rows.length === 0) return;
  const words = searchedWords(text);
  const isShown = ({ summary, label, description = '', detail = '' }: ConversationItem): boolean => {
    const own = [label, description, detail].join('\n').toLowerCase();
    return (summary !== undefined && found.has(summary.id)) || words.every((word) => own.includes(word));
  };
  const shown = rows.map((row) => (isShown(row) ? { ...row, alwaysShow: true } : row));
  pick.items = shown.some(({ alwaysShow }) => alwaysShow === true) ? shown : [nothingFoundRow(text)];
}

function nothingFoundRow(text: string): ConversationItem {
  return { label: vscode.l10n.t('No conversation contains "{0}"', text), alwaysShow: true };
}

function rowOf(summary: ConversationSummary, currentId: string | undefined, known: KnownPrices): ShownItem {
  if (summary.unreadable !== undefined) {
    return {
      icon: 'warning',
      label: vscode.l10n.t("Can't be read"),
      description: summary.id,
      detail: vscode.l10n.t('The file was left unchanged: {0}', summary.unreadable),
    };
  }
  if (summary.draft !== undefined) {
    return {
      icon: 'edit',
      label: plainWords(summary.draft),
      description: [vscode.l10n.t('draft'), timeOrDateText(summary.updatedAt, Date.now())].join(' · '),
    };
  }
  const facts = [timeOrDateText(summary.updatedAt, Date.now()), messagesText(summary.messageCount)];
  if (summary.id === currentId) facts.unshift(vscode.l10n.t('open now'));
  const spent = costOfUse(summary.used, known);
  if (spent !== undefined && spent.cost > 0) facts.push(namedCost(costText(spent.cost, spent)));
  if (summary.damagedLines > 0) facts.push(damageText(summary.damagedLines));
  return {
    label: summary.title === '' ? vscode.l10n.t('Untitled') : plainWords(summary.title),
    description: facts.join(' · '),
    ...(summary.preview !== '' && { detail: plainWords(summary.preview) }),
  };
}

function messagesText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', numberText(count));
}

function damageText(lines: number): string {
  return lines === 1
    ? vscode.l10n.t('1 damaged line kept')
    : vscode.l10n.t('{0} damaged lines kept', numberText(lines));
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}
