import * as vscode from 'vscode';
import { AllMarks } from '../../core/models/allMarks.ts';
import type { MeasuredModels } from '../../core/models/measuredModel.ts';
import { ModelCatalog } from '../../core/models/modelCatalog.ts';
import { type LearnedContextWindows, ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import { ModelMarks } from '../../core/models/modelMarks.ts';
import { DisposableList } from '../platform/disposables.ts';
import { fileTroubleNotice } from '../problems/fileTroubleNotice.ts';
import type { Log } from '../platform/log.ts';
import type { Notifier } from '../platform/notify.ts';
import type { RequestTap } from '../requests/requestTap.ts';
import type { Service } from '../service/service.ts';
import type { Services } from '../service/services.ts';
import type { Setting } from '../settings/setting.ts';
import { CatalogFiles } from './catalogFiles.ts';
import { MarksFiles } from './marksFiles.ts';
import type { ModelSources } from './modelSources.ts';
import { ModelVotes } from './modelVotes.ts';
import { VoteStore } from './voteStore.ts';

export interface OpenModelSourcesDeps {
  readonly service: RequestTap;
  readonly measured: MeasuredModels;
  /** Context windows that no list has. */
  readonly learned: LearnedContextWindows;
  readonly services: Pick<Services, 'all' | 'onDidChange'>;
  readonly refreshAfterMinutes: Setting<number>;
  /** Where the model lists and the marks are stored. */
  readonly storageUri: vscode.Uri;
  readonly log: Log;
  readonly notifier: Notifier;
}

interface OpenList extends vscode.Disposable {
  readonly catalog: ModelCatalog;
  readonly marks: ModelMarks;
}

/**
 * The model lists of this window, each for the URL and the key of its service. Reads and fetches nothing on its own.
 */
export function openModelSources(deps: OpenModelSourcesDeps): ModelSources &
  vscode.Disposable & {
    readonly flush: () => Promise<void>;
    /** Deletes the list of a service that was removed. */
    readonly forget: (baseUrl: string) => Promise<void>;
  } {
  const { services, log, measured, refreshAfterMinutes } = deps;
  const calls = deps.service.from({ kind: 'models' });
  const folder = vscode.Uri.joinPath(deps.storageUri, 'models').fsPath;
  const own = new DisposableList();
  const store = new CatalogFiles(folder, (error) => log.error('The kept list of models', error));
  const marksFiles = own.add(
    new MarksFiles(
      folder,
      fileTroubleNotice(() => vscode.l10n.t('Favorites and hidden models'), deps),
    ),
  );
  const onMarksError = (error: unknown) => log.error('Favorite and hidden models', error);
  const catalogs = new ModelCatalogs(deps.learned);
  const marks = own.add(new AllMarks());
  const lists = new Map<string, OpenList>();

  const opened = ({ id, endpoint, entry }: Service): OpenList => {
    const address = () => {
      const addresses = endpoint.addresses();
      return 'kind' in addresses ? undefined : addresses.baseUrl.href;
    };
    const catalog = new ModelCatalog({
      id,
      list: async (options) => {
        // Missing settings are reported without loading the client and the code that reads the list.
        await endpoint.current();
        const { listModels } = await import('../../api/operations/listModels.ts');
        return calls.to(id).ask(listModels, options);
      },
      store,
      service: address,
      stated: () => entry.value.models,
      now: () => Date.now(),
    });
    const ownMarks = new ModelMarks({ store: marksFiles, service: address, onError: onMarksError });
    const subscription = endpoint.onDidChange(() => {
      catalog.connectionChanged();
      ownMarks.load().catch(onMarksError);
    });
    const statements = entry.onDidChange(() => catalog.statedChanged());
    return {
      catalog,
      marks: ownMarks,
      dispose: () => {
        statements.dispose();
        subscription.dispose();
        catalog.dispose();
      },
    };
  };
  const follow = (): void => {
    const now = services.all.map(({ id }) => id);
    if (now.length === lists.size && [...lists.keys()].every((id, at) => id === now[at])) return;
    const before = new Map(lists);
    lists.clear();
    for (const service of services.all) lists.set(service.id, before.get(service.id) ?? opened(service));
    catalogs.set(new Map([...lists].map(([id, { catalog }]) => [id, catalog])));
    marks.set(new Map([...lists].map(([id, list]) => [id, list.marks])));
    for (const [id, list] of before) if (!lists.has(id)) list.dispose();
  };
  follow();
  own.add(services.onDidChange(follow));
  own.add({ dispose: () => catalogs.dispose() });
  own.add({ dispose: () => lists.forEach((list) => list.dispose()) });
  const onVotesError = (error: unknown) => log.error('Votes on replies', error);
  const votesFolder = vscode.Uri.joinPath(deps.storageUri, 'comparisons', 'votes').fsPath;
  return {
    catalog: catalogs,
    marks,
    measured,
    votes: new ModelVotes(new VoteStore(votesFolder, onVotesError), onVotesError),
    refreshAfterMinutes,
    flush: () => marksFiles.settled(),
    forget: (baseUrl) => store.remove(baseUrl),
    dispose: () => own.dispose(),
  };
}
