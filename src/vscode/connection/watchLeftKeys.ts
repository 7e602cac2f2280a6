import * as vscode from 'vscode';
import { serviceName } from '../../words/modelLabel.ts';
import type { Notifier } from '../platform/notify.ts';
import type { LeftService, Services } from '../service/services.ts';

/** Long enough for Remove Service, which deletes the key after the list, and for someone who edits in steps. */
const settleMs = 5000;

/**
 * A service that was deleted in the settings by hand, even while VS Code was closed, leaves its key: offers to delete
 * it. Never deletes it without asking, because the service might be missing only because of a typing mistake.
 */
export function watchLeftKeys(
  services: Pick<Services, 'find' | 'left' | 'onDidLose'>,
  notifier: Pick<Notifier, 'warning'>,
  waitMs = settleMs,
): vscode.Disposable {
  const timers = new Set<NodeJS.Timeout>();
  const offer = async ({ id, keys, memory }: LeftService): Promise<void> => {
    const isLeft = async () => services.find(id) === undefined && (await keys.sources()).stored;
    if (!(await isLeft())) return;
    const text = vscode.l10n.t(
      '{0} is no longer in parlance.services, but its API key is still saved.',
      serviceName(id),
    );
    const run = async (): Promise<void> => {
      // It might have come back while the question was open.
      if (!(await isLeft())) return;
      await keys.remove();
      await memory.forget();
    };
    notifier.warning(text, [{ label: vscode.l10n.t('Delete API Key'), run }]);
  };
  const offerLater = (service: LeftService): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void offer(service);
    }, waitMs);
    timers.add(timer);
  };
  const lost = services.onDidLose(offerLater);
  const { left } = services;
  for (const service of left) offerLater(service);
  return new vscode.Disposable(() => {
    lost.dispose();
    for (const { keys } of left) keys.dispose();
    for (const timer of timers) clearTimeout(timer);
  });
}
