import * as vscode from 'vscode';
import { parseBaseUrl, type BaseUrlFix } from '../../api/service/baseUrl.ts';
import { bareHost, isThisMachine } from '../../api/transport/proxyRoute.ts';

/** What to say about a URL while it's being typed, and what would be saved. */
export interface BaseUrlCheck {
  /** Absent if the text can't be used as typed. */
  readonly url?: URL;
  readonly message?: string;
  readonly severity: vscode.InputBoxValidationSeverity;
  /** True if the key would be sent unencrypted over a network. */
  readonly inTheClear: boolean;
}

export function checkBaseUrl(text: string): BaseUrlCheck {
  const { Error: bad, Warning: warning, Info: info } = vscode.InputBoxValidationSeverity;
  const parsed = parseBaseUrl(text);
  if (!parsed.ok) {
    return { message: refusalText(parsed.reason), severity: bad, inTheClear: false };
  }
  const { url, fixed } = parsed;
  if (url.protocol === 'http:' && !isThisMachine(bareHost(url))) {
    return {
      url,
      message: vscode.l10n.t('With http://, your API key and messages are sent to {0} unencrypted.', url.host),
      severity: warning,
      inTheClear: true,
    };
  }
  return fixed === undefined
    ? { url, severity: info, inTheClear: false }
    : { url, message: fixText(fixed, addressText(url)), severity: info, inTheClear: false };
}

/** As it's written to the settings: without a trailing slash. */
export function addressText(url: URL): string {
  return url.href.replace(/\/+$/, '');
}

function fixText(fix: BaseUrlFix, address: string): string {
  switch (fix) {
    case 'removedOperation':
      return vscode.l10n.t('Parlance adds the endpoint path for you. The base URL will be saved as {0}', address);
    case 'addedScheme':
    case 'addedVersion':
      return vscode.l10n.t('It will be saved as {0}', address);
  }
}

function refusalText(reason: 'empty' | 'notAnAddress' | 'scheme' | 'credentials' | 'query' | 'fragment'): string {
  switch (reason) {
    case 'empty':
      return vscode.l10n.t('Enter the base URL of your service, for example https://api.example.com/v1');
    case 'notAnAddress':
      return vscode.l10n.t('Enter a valid URL, for example https://api.example.com/v1');
    case 'scheme':
      return vscode.l10n.t('The URL must start with https:// or http://');
    case 'credentials':
      return vscode.l10n.t('Remove the user name and password from the URL. To save a key, use Set API Key.');
    case 'query':
      return vscode.l10n.t('Remove the query string (everything from the ? on).');
    case 'fragment':
      return vscode.l10n.t('Remove the fragment (everything from the # on).');
  }
}
