import * as vscode from 'vscode';
import { markdownText } from '../../core/markdownText.ts';
import { commandIds, settings } from '../contributions.ts';
import { DisposableList } from '../disposables.ts';
import { ConfigurationSetting } from '../setting.ts';
import { textUpTo } from '../settingRules.ts';
import { shortModelName } from './shortModelName.ts';

/** Among other extensions' items, left of the editor's own. */
const priority = 50;

/** What the item tells besides the model. */
export interface StatusFacts {
  readonly isRunning: boolean;
  /** Paragraphs of Markdown. */
  readonly lines: readonly string[];
}

/** One item on the right: the model that a click picks another for, whether something runs, and at a glance how fast it was. */
export class StatusItem implements vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #item: vscode.StatusBarItem;
  // What does not fit is told where all settings are read.
  readonly #model = this.#own.add(new ConfigurationSetting(settings.model, textUpTo(256), () => {}));
  #chatModel: string | undefined;
  #facts: StatusFacts = { isRunning: false, lines: [] };

  constructor() {
    const { Right } = vscode.StatusBarAlignment;
    this.#item = this.#own.add(vscode.window.createStatusBarItem('parlance.status', Right, priority));
    this.#item.name = 'Parlance';
    this.#item.command = commandIds.selectModel;
    this.#own.add(this.#model.onDidChange(() => this.#draw()));
    this.#draw();
    this.#item.show();
  }

  tell(facts: StatusFacts): void {
    this.#facts = facts;
    this.#draw();
  }

  /** Another chat is in front. @param model that it has of its own; undefined while it goes by the settings */
  showChat(model: string | undefined): void {
    if (model === this.#chatModel) return;
    this.#chatModel = model;
    this.#draw();
  }

  dispose(): void {
    this.#own.dispose();
  }

  #draw(): void {
    const { isRunning, lines } = this.#facts;
    const model = this.#chatModel ?? this.#model.value.trim();
    const name = model === '' ? vscode.l10n.t('Select Model') : shortModelName(model);
    this.#item.text = `$(${isRunning ? 'loading~spin' : 'comment-discussion'}) ${name}`;
    this.#item.tooltip = new vscode.MarkdownString(
      [
        model === '' ? vscode.l10n.t('No model is chosen for new conversations.') : `**${markdownText(model)}**`,
        ...lines,
        vscode.l10n.t('Click to pick a model.'),
      ].join('\n\n'),
    );
    const state = isRunning ? vscode.l10n.t('a request is running') : vscode.l10n.t('idle');
    this.#item.accessibilityInformation = { label: vscode.l10n.t('Parlance: {0}, {1}', name, state), role: 'button' };
  }
}
