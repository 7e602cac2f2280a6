import * as l10n from '@vscode/l10n';
import type { SetupFailure } from '../../shared/apiFailure.ts';
import { kept, type ProblemContext, type ProblemDraft } from './problemDraft.ts';
import { inline } from '../../words/inline.ts';

/** Nothing was sent, because the user has to provide something first. A step to take, so a warning and not an error. */
export function setupProblem(failure: SetupFailure, context: ProblemContext): ProblemDraft {
  const words = setupWords(failure, context);
  // Other requests don't need this URL and are still sent, and a reply that has begun shows that something was sent.
  const hasBegun = failure.missing === 'service' && context.hasPartialText;
  if (dispensable.has(failure.missing) || hasBegun) {
    return { severity: 'warning', ...words, detail: [...words.detail, kept(context)] };
  }
  return { severity: 'warning', ...words, detail: [...words.detail, l10n.t('Nothing was sent.'), kept(context)] };
}

const dispensable: ReadonlySet<SetupFailure['missing']> = new Set([
  'validNativeUrl',
  'validLegacyUrl',
  'encryptedLegacyUrl',
]);

function setupWords(failure: SetupFailure, context: ProblemContext): ProblemDraft {
  const found = failure.found === undefined ? undefined : inline(failure.found, 200);
  switch (failure.missing) {
    case 'baseUrl':
      return {
        title: l10n.t('No service connected'),
        detail: [l10n.t('Enter the base URL of your inference service to get started.')],
        actions: ['setBaseUrl', 'findLocalServices', 'openSettings'],
      };
    case 'validBaseUrl':
      return {
        title: l10n.t("The base URL isn't valid"),
        detail: [
          found === undefined || found === ''
            ? l10n.t('Enter a URL, for example https://api.example.com/v1.')
            : l10n.t('"{0}" can\'t be used. Enter a URL, for example https://api.example.com/v1.', found),
        ],
        actions: ['setBaseUrl', 'openSettings'],
      };
    case 'validNativeUrl':
      return {
        title: l10n.t("The native URL isn't valid"),
        detail: [
          notUsable(found, 'https://host/api'),
          l10n.t('Until you correct it, Parlance uses the one derived from the base URL.'),
        ],
        actions: ['openSettings'],
      };
    case 'validLegacyUrl':
      return {
        title: l10n.t("The fallback base URL isn't valid"),
        detail: [notUsable(found, 'https://host/v1'), l10n.t('Until you correct it, Parlance ignores it.')],
        actions: ['openSettings'],
      };
    case 'encryptedLegacyUrl':
      return {
        title: l10n.t('The fallback base URL is unencrypted'),
        detail: [
          l10n.t(
            "The base URL starts with https://, so Parlance doesn't send your key to {0}. Set a fallback base URL that starts with https://, or clear the setting.",
            found ?? '',
          ),
        ],
        actions: ['openSettings'],
      };
    case 'otherNativeUrl':
      return {
        title: l10n.t("Another service's native URL"),
        detail: [
          l10n.t(
            "{0} belongs to another service in your list, so Parlance doesn't send this one's key and messages there. Set its native URL, or use the OpenAI-compatible API.",
            found ?? '',
          ),
        ],
        actions: ['openSettings'],
      };
    case 'apiKey':
      return {
        title: l10n.t('API key required'),
        detail: [
          context.pages.keys === undefined
            ? l10n.t("Set an API key from your account with the service. It's kept in VS Code's secret storage.")
            : l10n.t("Copy a key from the keys page and set it. It's kept in VS Code's secret storage."),
        ],
        actions: ['setApiKey', 'useNoKey', 'openKeysPage'],
      };
    case 'savedApiKey':
      return {
        title: l10n.t('Your saved API key is gone'),
        detail: [
          found === undefined || found === ''
            ? l10n.t(
                'You saved a key, but VS Code no longer has it. In a browser, VS Code might keep keys only until it reloads.',
              )
            : l10n.t(
                'You saved a key for {0}, but VS Code no longer has it. In a browser, VS Code might keep keys only until it reloads.',
                found,
              ),
          l10n.t('Set the key again, or run "Remove API Key…" to use SERVICE_API_KEY instead.'),
        ],
        actions: ['setApiKey', 'openKeysPage'],
      };
    case 'validApiKey':
      return {
        title: l10n.t("The API key can't be used"),
        detail: [
          l10n.t(
            "It's too long or contains characters that aren't allowed in a key, for example spaces. Copy the whole key again.",
          ),
        ],
        actions: ['setApiKey', 'openKeysPage'],
      };
    case 'apiKeyForThisHost': {
      const target = failure.target ?? context.host;
      return {
        title: l10n.t("The API key isn't approved here"),
        detail: [
          found === undefined || found === ''
            ? l10n.t('Parlance sends a key only to hosts that you approved.')
            : l10n.t('The key was saved for {0}. Parlance sends a key only to hosts that you approved.', found),
          target === undefined
            ? l10n.t('Approve the base URL, or set another key.')
            : l10n.t('Approve {0}, or set another key.', inline(target, 100)),
        ],
        actions: ['useKeyForThisHost', 'useNoKey', 'setApiKey', 'setBaseUrl'],
      };
    }
    case 'service':
      return {
        title: l10n.t('This service was removed'),
        detail: [l10n.t('"{0}" is no longer in your list of services. Select a model of another one.', found ?? '')],
        actions: ['selectModel', 'openSettings'],
      };
    case 'model':
      return {
        title: l10n.t('No model selected'),
        detail: [l10n.t('Select the model that should reply.')],
        actions: ['selectModel'],
      };
  }
}

/** Base URL and key are correct, but the service's model list is empty. */
export function noModelsProblem(context: ProblemContext): ProblemDraft {
  return {
    severity: 'warning',
    title: l10n.t('The service lists no models'),
    detail: [
      l10n.t(
        'The base URL and the key work, but this account has no models. Type the ID of one you know, or use another key.',
      ),
      kept(context),
    ],
    actions: ['selectModel', 'setApiKey', 'openKeysPage'],
  };
}

function notUsable(found: string | undefined, example: string): string {
  return found === undefined || found === ''
    ? l10n.t('A URL looks like {0}.', example)
    : l10n.t('"{0}" can\'t be used. A URL looks like {1}.', found, example);
}
