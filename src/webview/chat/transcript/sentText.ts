import * as l10n from '@vscode/l10n';
import { element, textButton } from '../../kit/element.ts';
import { sentParts } from './sentParts.ts';

// So long that the reply below would be out of view.
const foldAbove = 24;
const charactersPerLine = 72;

/** What a person sent, with its code as code. A long one is folded; its way open is below it. */
export function sentText(text: string): readonly HTMLElement[] {
  const all = element('div', { class: 'sent' });
  for (const part of sentParts(text)) {
    all.append(part.kind === 'words' ? part.text : element('pre', {}, element('code', {}, part.text)));
  }
  if (linesOf(text) <= foldAbove) return [all];
  const more = textButton('link', '', () => fold(!all.classList.contains('folded')));
  const fold = (isFolded: boolean): void => {
    all.classList.toggle('folded', isFolded);
    more.textContent = isFolded ? l10n.t('Show All') : l10n.t('Show Less');
    more.setAttribute('aria-expanded', String(!isFolded));
    // Else a person who folds it from its end is left somewhere below.
    if (isFolded) more.scrollIntoView({ block: 'nearest' });
  };
  fold(true);
  return [all, more];
}

/** As they are about to be seen. */
function linesOf(text: string): number {
  return text.split('\n').reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / charactersPerLine)), 0);
}
