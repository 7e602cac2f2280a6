import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { markdownText } from '../../core/safety/markdownText.ts';
import type { MadeFile } from '../media/makeMedia.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/** Shows the result: the stored file, or the service's URL if it couldn't be downloaded. */
export function handOut(
  made: readonly MadeFile[],
  words: string,
  model: ModelRef,
  stream: Pick<vscode.ChatResponseStream, 'anchor' | 'markdown'>,
): void {
  for (const { uri, url, problem } of made) {
    if (uri !== undefined) stream.anchor(uri, words);
    // A Uri would change the URL, and a signed one has to stay exactly the same.
    else if (url !== undefined && /^https?:/i.test(url)) stream.markdown(`[${words}](<${inLink(url)}>)`);
    if (problem !== undefined) stream.markdown(`\n\n*${markdownText(problem, 1000)}*\n\n`);
  }
  stream.markdown(
    `\n\n${vscode.l10n.t('Generated with {0}. Find it in the Media view.', markdownText(modelLabel(model)))}`,
  );
}

/** Characters that would end the link. */
function inLink(url: string): string {
  return url.replace(/[<>\s\\]/g, encodeURIComponent);
}
