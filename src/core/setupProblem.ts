import * as l10n from '@vscode/l10n';
import type { SetupFailure } from '../shared/apiFailure.ts';
import { inline, kept, type ProblemContext, type ProblemDraft } from './problemDraft.ts';

/** Nothing was sent: the user must give something first. A step to take, so a warning and no error. */
export function setupProblem(failure: SetupFailure, context: ProblemContext): ProblemDraft {
  const words = setupWords(failure, context);
  return { severity: 'warning', ...words, detail: [...words.detail, l10n.t('Nothing was sent.'), kept(context)] };
}

function setupWords(failure: SetupFailure, context: ProblemContext): ProblemDraft {
  const found = failure.found === undefined ? undefined : inline(failure.found, 200);
  switch (failure.missing) {
    case 'baseUrl':
      return {
        title: l10n.t('No service is set'),
        detail: [l10n.t('Parlance needs the base address of your inference service.')],
        actions: ['setBaseUrl', 'openSettings'],
      };
    case 'validBaseUrl':
      return {
        title: l10n.t('The base address is not valid'),
        detail: [
          found === undefined || found === ''
            ? l10n.t('An address looks like https://host/v1.')
            : l10n.t('“{0}” cannot be used. An address looks like https://host/v1.', found),
        ],
        actions: ['setBaseUrl', 'openSettings'],
      };
    case 'apiKey':
      return {
        title: l10n.t('An API key is needed'),
        detail: [
          context.pages.keys === undefined
            ? l10n.t('Set the key of your account at the service. It is kept in VS Code’s secret storage.')
            : l10n.t('Copy a key from the keys page and set it. It is kept in VS Code’s secret storage.'),
        ],
        actions: ['setApiKey', 'openKeysPage'],
      };
    case 'validApiKey':
      return {
        title: l10n.t('The API key cannot be used'),
        detail: [
          l10n.t(
            'It holds characters that no key has, such as spaces or accents, or it is too long. Copy it again, whole.',
          ),
        ],
        actions: ['setApiKey', 'openKeysPage'],
      };
    case 'apiKeyForThisHost':
      return {
        title: l10n.t('The API key is for another address'),
        detail: [
          found === undefined || found === ''
            ? l10n.t('Parlance sends a key only to the address it was saved for.')
            : l10n.t(
                'The key was saved for {0}, and Parlance sends a key only to the address it was saved for.',
                found,
              ),
          context.host === undefined
            ? l10n.t('Allow it for the current base address too, or set another key.')
            : l10n.t('Allow it for {0} too, or set another key.', inline(context.host, 100)),
        ],
        actions: ['useKeyForThisHost', 'setApiKey', 'setBaseUrl'],
      };
    case 'model':
      return {
        title: l10n.t('No model is chosen'),
        detail: [l10n.t('Choose the model that is to answer.')],
        actions: ['selectModel'],
      };
  }
}

/** Address and key are good, and the service's catalogue is empty. */
export function noModelsProblem(context: ProblemContext): ProblemDraft {
  return {
    severity: 'warning',
    title: l10n.t('The service lists no models'),
    detail: [
      l10n.t(
        'The address and the key work, but this account is offered no model. Type the name of one you know, or use another key.',
      ),
      kept(context),
    ],
    actions: ['selectModel', 'setApiKey', 'openKeysPage'],
  };
}
