import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { markdownText } from '../../core/safety/markdownText.ts';
import { modelSetting } from '../settings/contributedSetting.ts';
import { commandIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { ConfigurationSetting } from '../settings/setting.ts';
import { plainLabel } from '../platform/plainLabel.ts';
import { type RunEndWords, RunNews } from './runNews.ts';
import { shortModelName } from './shortModelName.ts';
import { modelLabel, serviceNames, useServiceNames, watchServiceNames } from '../../words/modelLabel.ts';
import { modelFromText } from '../../core/models/modelText.ts';

/** The position among other extensions' items, left of the editor's own: the chat's icon directly before the model. */
const priority = 50;
const chatPriority = 51;

/** What the item shows besides the model. */
export interface StatusFacts {
  readonly isRunning: boolean;
  /** Paragraphs of Markdown. */
  readonly lines: readonly string[];
  /** The meaning of their marks. Passed in, because activation loads this file, but nothing that formats figures. */
  readonly notes: readonly string[];
}

type ServiceNames = Readonly<Record<string, string>>;

/** Where the names of services, and of those that were removed, are kept for the next start. */
export const serviceNamesKey = 'parlance.serviceNames';

/**
 * On the right, looking like one: an icon that opens the chat and turns while something is running, and the model, which
 * a click changes, with how fast it was.
 */
export class StatusItem implements vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #chat: vscode.StatusBarItem;
  readonly #item: vscode.StatusBarItem;
  // Invalid values are reported where all settings are read.
  readonly #model = this.#own.add(new ConfigurationSetting(modelSetting, () => {}));
  #chatModel: string | undefined;
  #promptModel: string | undefined;
  readonly #news = this.#own.add(new RunNews(() => this.#draw()));
  #facts: StatusFacts = { isRunning: false, lines: [], notes: [] };

  /** @param kept the names of services when they were last known, until they are read */
  constructor(kept?: unknown) {
    const known = Array.isArray(kept) ? kept.filter(isNames) : [];
    if (known[0] !== undefined) useServiceNames(known[0], known[1]);
    const { Right } = vscode.StatusBarAlignment;
    const openChat = vscode.l10n.t('Open Chat');
    this.#chat = this.#own.add(vscode.window.createStatusBarItem('parlance.chat', Right, chatPriority));
    this.#chat.name = openChat;
    this.#chat.tooltip = openChat;
    this.#chat.accessibilityInformation = { label: openChat, role: 'button' };
    this.#chat.command = commandIds.openChat;
    this.#item = this.#own.add(vscode.window.createStatusBarItem('parlance.status', Right, priority));
    this.#item.name = 'Parlance';
    this.#item.command = commandIds.selectModel;
    this.#own.add(this.#model.onDidChange(() => this.#draw()));
    this.#own.add({ dispose: watchServiceNames(() => this.#draw()) });
    this.#draw();
    this.#chat.show();
    this.#item.show();
  }

  /** Activation has its own copy of the code that names models, and learns about the services only here. */
  nameServices(names: ServiceNames, removed: ServiceNames): void {
    if (serviceNames() !== names) useServiceNames(names, removed);
  }

  tell(facts: StatusFacts): void {
    this.#facts = facts;
    this.#draw();
  }

  /** A prompt has ended. For a few seconds this replaces the model. */
  tellEnd(end: RunEndWords): void {
    this.#news.tell(end);
  }

  /** @param model of the prompt that was started last; undefined once none is running */
  showPrompt(model: ModelRef | undefined): void {
    if (model === this.#promptModel) return;
    this.#promptModel = model;
    this.#draw();
  }

  /** @param model of the visible chat; undefined if it uses the default, or if none is visible */
  showChat(model: ModelRef | undefined): void {
    if (model === this.#chatModel) return;
    this.#chatModel = model;
    this.#draw();
  }

  dispose(): void {
    this.#own.dispose();
  }

  #draw(): void {
    const { isRunning, lines, notes } = this.#facts;
    const byDefault = this.#model.value.trim();
    const defaultModel = byDefault === '' ? '' : modelFromText(byDefault);
    const model = this.#promptModel ?? this.#chatModel ?? defaultModel;
    const isOther = model !== defaultModel && defaultModel !== '';
    const name = model === '' ? vscode.l10n.t('Select Model') : shortModelName(modelLabel(model));
    const { end } = this.#news;
    const [icon, words] =
      isRunning || end === undefined
        ? [isRunning ? 'loading~spin' : 'comment-discussion', name]
        : [end.icon, plainLabel(end.words)];
    this.#chat.text = `$(${icon})`;
    this.#item.text = words;
    this.#item.tooltip = new vscode.MarkdownString(
      [
        model === '' ? vscode.l10n.t('No default model is selected.') : `**${markdownText(modelLabel(model))}**`,
        ...(isOther
          ? [vscode.l10n.t('Default for prompts and commit messages: {0}', markdownText(modelLabel(defaultModel)))]
          : []),
        ...lines,
        ...new Set([...notes, ...(end?.notes ?? [])]),
        vscode.l10n.t('Click to select a model.'),
      ].join('\n\n'),
    );
    const state = isRunning ? vscode.l10n.t('a request is running') : (end?.words ?? vscode.l10n.t('idle'));
    this.#item.accessibilityInformation = { label: vscode.l10n.t('Parlance: {0}, {1}', name, state), role: 'button' };
  }
}

function isNames(value: unknown): value is ServiceNames {
  return typeof value === 'object' && value !== null && Object.values(value).every((name) => typeof name === 'string');
}
