import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { changeService } from '../service/serviceList.ts';
import type { Service } from '../service/service.ts';
import { addressText, type BaseUrlCheck, checkBaseUrl } from './baseUrlCheck.ts';
import { plainWindow } from '../platform/plainWindow.ts';

interface AskedUrl {
  readonly title: string;
  readonly current: string;
  /** The services that can't have the same one. */
  readonly others: readonly Service[];
}

/** Asks for a service's base URL and stores it in the user's settings. True if one was set. */
export async function setBaseUrl(service: Service, all: readonly Service[]): Promise<boolean> {
  const title = all.length > 1 ? vscode.l10n.t('Base URL of {0}', service.name) : vscode.l10n.t('Base URL');
  const others = all.filter((other) => other !== service);
  const url = await askForBaseUrl({ title, current: service.entry.value.baseUrl, others });
  if (url === undefined) {
    return false;
  }
  await changeService(service.id, { baseUrl: addressText(url) });
  return true;
}

/** Asks for the base URL of a service. Undefined if the user canceled. */
export async function askForBaseUrl({ title, current, others }: AskedUrl): Promise<URL | undefined> {
  const own = new DisposableList();
  const input = own.add(plainWindow.createInputBox());
  const chosen = Promise.withResolvers<URL | undefined>();
  input.title = title;
  input.prompt = vscode.l10n.t("Copy it from your service's documentation, for example https://api.example.com/v1");
  input.placeholder = 'https://host/v1';
  input.ignoreFocusOut = true;
  input.value = current;
  // A box that was just opened shows no error yet.
  let edited = current !== '';
  const draw = () => {
    const check = checkNewUrl(input.value, others);
    const silent = check.message === undefined || (input.value.trim() === '' && !edited);
    input.validationMessage = silent ? undefined : { message: check.message ?? '', severity: check.severity };
  };
  draw();
  own.add(
    input.onDidChangeValue(() => {
      edited = true;
      draw();
    }),
  );
  own.add(input.onDidHide(() => chosen.resolve(undefined)));
  own.add(
    input.onDidAccept(() => {
      const check = checkNewUrl(input.value, others);
      edited = true;
      draw();
      if (check.url !== undefined) {
        chosen.resolve(check.url);
      }
    }),
  );
  input.show();
  try {
    const url = await chosen.promise;
    return url !== undefined && (await confirmed(url)) ? url : undefined;
  } finally {
    own.dispose();
  }
}

function checkNewUrl(text: string, others: readonly Service[]): BaseUrlCheck {
  const check = checkBaseUrl(text);
  const same = others.find(({ endpoint }) => {
    const addresses = endpoint.addresses();
    return !('kind' in addresses) && addresses.baseUrl.href === check.url?.href;
  });
  if (same === undefined) return check;
  const message = vscode.l10n.t('{0} already has this base URL.', same.name);
  return { message, severity: vscode.InputBoxValidationSeverity.Error, inTheClear: false };
}

async function confirmed(url: URL): Promise<boolean> {
  if (!checkBaseUrl(url.href).inTheClear) {
    return true;
  }
  const use = vscode.l10n.t('Use HTTP Anyway');
  const answer = await plainWindow.ask(
    vscode.l10n.t("{0} isn't encrypted", addressText(url)),
    {
      detail: vscode.l10n.t(
        'Anyone on the network can read your API key and messages. Use https:// if your service supports it.',
      ),
    },
    use,
  );
  return answer === use;
}
