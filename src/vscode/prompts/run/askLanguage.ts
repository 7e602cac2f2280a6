import * as vscode from 'vscode';
import { DisposableList } from '../../platform/disposables.ts';
import { plainWindow } from '../../platform/plainWindow.ts';

// The languages that code is most often translated to. Others can be typed.
const ofPrograms = [
  'Python',
  'TypeScript',
  'JavaScript',
  'Java',
  'C#',
  'C++',
  'Go',
  'Rust',
  'Kotlin',
  'Swift',
  'Ruby',
  'PHP',
  'SQL',
  'Bash',
];
const ofPeople = () => [
  vscode.l10n.t('English'),
  vscode.l10n.t('German'),
  vscode.l10n.t('French'),
  vscode.l10n.t('Spanish'),
  vscode.l10n.t('Portuguese'),
  vscode.l10n.t('Chinese'),
  vscode.l10n.t('Japanese'),
];

/** Asks for a programming or natural language: from a list, or typed. */
export async function askLanguage(): Promise<string | undefined> {
  const own = new DisposableList();
  const pick = own.add(plainWindow.createQuickPick());
  const usual = [...ofPrograms, ...ofPeople()];
  const chosen = Promise.withResolvers<string | undefined>();
  const draw = () => {
    const typed = pick.value.trim();
    const isListed = usual.some((name) => name.toLowerCase() === typed.toLowerCase());
    pick.items = [...usual, ...(typed === '' || isListed ? [] : [typed])].map((label) => ({ label }));
  };
  pick.title = vscode.l10n.t('Translate Text');
  pick.placeholder = vscode.l10n.t('Select or type a language');
  own.add(pick.onDidChangeValue(draw));
  own.add(pick.onDidAccept(() => chosen.resolve(pick.activeItems[0]?.label)));
  own.add(pick.onDidHide(() => chosen.resolve(undefined)));
  draw();
  pick.show();
  try {
    return await chosen.promise;
  } finally {
    own.dispose();
  }
}
