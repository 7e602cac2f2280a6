import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { lazy } from '../platform/lazy.ts';
import type { Offering } from '../platform/offering.ts';
import { commandsOf, panelTypes } from '../settings/contributions.ts';
import type { MeasureDeps } from './registerMeasure.ts';

/** The page that measures models. */
export function offerMeasure({ commands, services }: Offering<MeasureDeps>): vscode.Disposable {
  const own = new DisposableList();
  const measure = lazy(async () => {
    const [{ registerMeasure }, shared] = await Promise.all([import('./registerMeasure.ts'), services()]);
    return own.add(registerMeasure(shared));
  });
  own.add(
    vscode.window.registerWebviewPanelSerializer(panelTypes.measure, {
      deserializeWebviewPanel: async (panel) => (await measure()).deserializeWebviewPanel(panel),
    }),
  );
  commands.take(Object.values(commandsOf.measure), measure);
  return own;
}
