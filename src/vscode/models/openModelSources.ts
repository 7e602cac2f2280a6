import * as vscode from 'vscode';
import type { MeasuredModels } from '../../core/models/measuredModel.ts';
import { ModelCatalog } from '../../core/models/modelCatalog.ts';
import { ModelMarks } from '../../core/models/modelMarks.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { EndpointSource } from '../service/endpoint.ts';
import { fileTroubleNotice } from '../problems/fileTroubleNotice.ts';
import type { Log } from '../platform/log.ts';
import type { Notifier } from '../platform/notify.ts';
import type { RequestTap } from '../requests/requestTap.ts';
import type { Setting } from '../settings/setting.ts';
import { CatalogFiles } from './catalogStore.ts';
import { MarksFiles } from './marksStore.ts';
import type { ModelSources } from './modelSources.ts';

export interface OpenModelSourcesDeps {
  readonly service: RequestTap;
  readonly measured: MeasuredModels;
  readonly endpoint: EndpointSource;
  readonly refreshAfterMinutes: Setting<number>;
  /** Where the catalog and the marks are kept. */
  readonly storageUri: vscode.Uri;
  readonly log: Log;
  readonly notifier: Notifier;
}

/** The one catalog of this window, tied to the address and the key. Reads and asks nothing by itself. */
export function openModelSources(
  deps: OpenModelSourcesDeps,
): ModelSources & vscode.Disposable & { readonly flush: () => Promise<void> } {
  const { endpoint, log, measured, refreshAfterMinutes } = deps;
  const service = deps.service.from({ kind: 'models' });
  const folder = vscode.Uri.joinPath(deps.storageUri, 'models').fsPath;
  const own = new DisposableList();
  const address = () => {
    const addresses = endpoint.addresses();
    return 'kind' in addresses ? undefined : addresses.baseUrl.href;
  };
  const catalog = own.add(
    new ModelCatalog({
      list: async (options) => {
        // What is missing is said without loading the client, and what reads the list.
        await endpoint.current();
        const { listModels } = await import('../../api/operations/listModels.ts');
        return service.ask(listModels, options);
      },
      store: new CatalogFiles(folder, (error) => log.error('The kept list of models', error)),
      service: address,
      now: () => Date.now(),
    }),
  );
  const marksFiles = own.add(
    new MarksFiles(
      folder,
      fileTroubleNotice(() => vscode.l10n.t('Favorites and hidden models'), deps),
    ),
  );
  const onMarksError = (error: unknown) => log.error('Favorite and hidden models', error);
  const marks = new ModelMarks({ store: marksFiles, service: address, onError: onMarksError });
  own.add(
    endpoint.onDidChange(() => {
      catalog.connectionChanged();
      marks.load().catch(onMarksError);
    }),
  );
  return {
    catalog,
    marks,
    measured,
    refreshAfterMinutes,
    flush: () => marksFiles.settled(),
    dispose: () => own.dispose(),
  };
}
