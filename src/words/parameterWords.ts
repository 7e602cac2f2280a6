import * as l10n from '@vscode/l10n';
import type { ChatOptions, ParameterName } from '../shared/chat.ts';
import type { ChatParameterName } from '../shared/chatParameters.ts';
import { mapTable } from '../shared/mapTable.ts';

/** What each number that can be set for a chat is called. */
export function parameterLabels(): Readonly<Record<ChatParameterName, string>> {
  return {
    maxTokens: l10n.t('Max tokens'),
    temperature: l10n.t('Temperature'),
    topP: l10n.t('Top P'),
  };
}

/** What each of them means when it replaces the prompt's own. */
export function parameterHelp(): Readonly<Record<ChatParameterName, string>> {
  return {
    maxTokens: l10n.t("The maximum length of a reply in tokens, instead of the prompt's own."),
    temperature: l10n.t("Randomness of replies, 0 or more, instead of the prompt's own."),
    topP: l10n.t("Nucleus sampling, above 0 and up to 1, instead of the prompt's own."),
  };
}

/** `Temperature 0.9 · System prompt`: what is set; empty for nothing. */
export function parametersText(options: ChatOptions): string {
  const labels = parameterLabels();
  const { stream, systemPrompt } = options;
  const words: Readonly<Record<ParameterName, string | undefined>> = {
    ...mapTable(labels, (label, name) => (options[name] === undefined ? undefined : `${label} ${options[name]}`)),
    stream: stream === undefined ? undefined : l10n.t('Stream {0}', stream ? l10n.t('On') : l10n.t('Off')),
    systemPrompt: systemPrompt === undefined ? undefined : l10n.t('System prompt'),
  };
  return Object.values(words)
    .filter((each) => each !== undefined)
    .join(' · ');
}
