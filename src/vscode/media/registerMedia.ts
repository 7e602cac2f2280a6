import * as vscode from 'vscode';
import type { RecordedCalls } from '../../core/requests/inferenceCalls.ts';
import { fieldDefaults } from '../../core/media/fieldDefaults.ts';
import { refParts, type ModelRef } from '../../shared/modelRef.ts';
import { mediaPrice } from '../../core/media/mediaPrice.ts';
import { unsavedText } from '../../core/problems/fileTexts.ts';
import { statedPrices } from '../../core/models/priceWords.ts';
import type { ServiceClients } from '../service/serviceClients.ts';
import type { ModelAbility } from '../../core/models/modelAbilities.ts';
import { type FormValues, type MediaKind, mediaKinds, type MediaParameters } from '../../shared/media.ts';
import type { RejectedField } from '../../shared/protocol/mediaProtocol.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import type { LastEditor } from '../attachments/lastEditor.ts';
import type { PickModel } from '../models/pickModel.ts';
import { commandIds, viewIds } from '../settings/contributions.ts';
import { givenRows } from '../settings/givenRows.ts';
import { DisposableList } from '../platform/disposables.ts';
import { ServiceDownloads } from '../service/serviceDownloads.ts';
import { lackTitle, type ServiceSupport } from '../service/serviceSupport.ts';
import type { Services } from '../service/services.ts';
import type { Explainer } from '../problems/explainer.ts';
import { fileTroubleNotice } from '../problems/fileTroubleNotice.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import { modelIdOf } from '../models/modelIdOf.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { Notifier } from '../platform/notify.ts';
import { pageLogOf } from '../platform/pages/pagePort.ts';
import type { Redactor } from '../platform/redactor.ts';
import { networkSettings } from '../settings/networkSettings.ts';
import type { Settings } from '../settings/settings.ts';
import { chooseInput } from './chooseInput.ts';
import { endNotice } from './endNotice.ts';
import { FormMemory } from './formMemory.ts';
import { InsertPlace } from './insertPlace.ts';
import { keepInput } from './chooseInput.ts';
import { makeMedia, type MediaMaker } from './makeMedia.ts';
import { MediaActs } from './mediaActs.ts';
import { inputTypeOf } from './mediaEndings.ts';
import { MediaGallery } from './mediaGallery.ts';
import { modelFromText, modelOfRemovedService } from '../../core/models/modelText.ts';
import { onlyModel } from '../../core/models/onlyModel.ts';
import type { MediaPageDeps } from './mediaPageDeps.ts';
import { MediaStudio } from './mediaStudio.ts';
import { MediaView } from './mediaView.ts';
import { transcribeAudio } from './transcribeAudio.ts';

const longestPrompt = 20_000;

export interface MediaDeps {
  readonly commands: CommandHandlers;
  readonly extensionUri: vscode.Uri;
  /** Where results and their records are stored. */
  readonly storageUri: vscode.Uri;
  readonly globalState: vscode.Memento;
  readonly lastEditor: LastEditor;
  readonly service: RecordedCalls;
  readonly clients: ServiceClients;
  readonly models: ModelSources;
  readonly pickModel: PickModel;
  readonly settings: Pick<Settings, 'insertFolder' | 'transcriptTimes' | 'chatDefaults'>;
  readonly services: Pick<Services, 'all' | 'check' | 'first' | 'find' | 'formerUrl'>;
  readonly support: Pick<ServiceSupport, 'lacking' | 'modelFor'>;
  readonly explainer: Explainer;
  readonly redactor: Redactor;
  readonly log: Log;
  readonly notifier: Notifier;
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
}

export interface Media extends vscode.Disposable, MediaMaker {
  readonly view: vscode.WebviewViewProvider;
  readonly studio: vscode.WebviewPanelSerializer;
  readonly flush: () => Promise<void>;
}

const formCommands: Readonly<Record<MediaKind, string>> = {
  video: commandIds.generateVideo,
  image: commandIds.generateImage,
};

/** Videos, images, and transcripts: the gallery, the forms, and their commands. */
export function registerMedia(deps: MediaDeps): Media {
  const own = new DisposableList();
  const { explainer, log, models, notifier, runAction } = deps;
  const service = deps.service.from({ kind: 'media' });
  const folder = vscode.Uri.joinPath(deps.storageUri, 'media').fsPath;
  const onUnexpected = (error: unknown) => log.error('Media', error);
  const forms = own.add(
    new FormMemory(
      vscode.Uri.joinPath(deps.storageUri, 'media', 'forms.json').fsPath,
      fileTroubleNotice(() => vscode.l10n.t('Form presets'), deps),
      onUnexpected,
    ),
  );
  const { services, clients } = deps;
  const downloads = own.add(new ServiceDownloads({ services, clients, settings: () => networkSettings(process.env) }));
  const gallery = own.add(
    new MediaGallery({
      folder,
      clientFor: (model) => service.forModel(model),
      downloadsFor: (model) => downloads.of(refParts(model).service),
      estimate: (parameters) => {
        const model = models.catalog.index.find(parameters.model)?.model;
        return model && mediaPrice(model, parameters);
      },
      inputsInForms: async () => {
        const inFile = await forms.inputIds();
        return inFile && [...inFile, ...studio.inputIds()];
      },
      redact: (failure) => deps.redactor.cleanData(failure),
      onUnexpected,
      onUnwritten: (error) => {
        log.error('Saving a record of the gallery', error);
        notifier.error(unsavedText('media', error, process.platform));
      },
    }),
  );
  const acts = new MediaActs({
    gallery,
    notifier,
    insertFolder: () => deps.settings.insertFolder.value,
    lastEditor: () => deps.lastEditor.ofUser,
  });
  const pickFor = (wanted: Parameters<PickModel>[1], current: string) =>
    deps.pickModel(current === '' ? undefined : current, wanted);
  const checkSetup = (model: ModelRef | undefined) => deps.services.check(model);
  const shown: MediaPageDeps['shown'] = new Set();
  const pageDeps = (): MediaPageDeps => ({
    gallery,
    forms,
    acts,
    explainer,
    pickModel: pickFor,
    chooseInput: (field) => chooseInput(field, { folder: gallery.folder, notifier }),
    lackOf: (kind, model) => {
      const { service: id } = refParts(model);
      return deps.support.lacking(kind).has(id) ? lackTitle(id, kind) : undefined;
    },
    writtenModel: (text) => {
      const model = modelFromText(text);
      const removed = modelOfRemovedService(text);
      return removed === undefined || models.catalog.index.find(model) !== undefined ? model : removed;
    },
    pricesOf: (model) => {
      const known = models.catalog.index.find(model)?.model;
      return known && statedPrices(known);
    },
    defaultsOf: (kind, model) => {
      const known = models.catalog.index.find(model)?.model;
      return known === undefined ? {} : fieldDefaults(kind, known);
    },
    onlyModel: async (kind) => {
      await models.catalog.load();
      return onlyModel(models.catalog.index.models, kind);
    },
    fetchModels: () => models.catalog.ensure(Infinity),
    openForm,
    otherModel,
    runAction,
    checkSetup,
    shown,
    onOver: tellEnd,
    onUnexpected,
    pageLog: pageLogOf(log, 'media'),
  });
  const studio = new MediaStudio(deps.extensionUri, pageDeps);

  const command = (id: string, run: (given?: unknown, selected?: unknown) => Promise<void>) =>
    deps.commands.handle(id, run);
  for (const kind of mediaKinds) command(formCommands[kind], (given) => openFor(kind, given));
  command(commandIds.showMedia, async () => void (await vscode.commands.executeCommand(`${viewIds.media}.focus`)));
  command(commandIds.insertImage, () => insertImage());
  command(commandIds.transcribeAudio, (given, selected) =>
    transcribeAudio(recordingsOf(givenRows(given, selected)), {
      serviceFor: (model) => service.forModel(model),
      explainer,
      notifier,
      memory: deps.globalState,
      startWith: (before) => startWith('audio', before),
      pickModel: (current) => pickFor('audio', current),
      checkSetup,
      hasSeveralServices: () => services.all.length > 1,
      asksForTimes: () => deps.settings.transcriptTimes.value,
    }),
  );
  return {
    view: new MediaView(deps.extensionUri, pageDeps),
    studio,
    make: (parameters, signal) => makeMedia(parameters, { gallery, explainer, checkSetup, onUnexpected }, signal),
    keepPicture: (picture) => keepInput(picture, gallery.folder),
    dispose: () => own.dispose(),
    flush: async () => {
      await Promise.all([gallery.close(), forms.settled()]);
    },
  };

  function mediaContext(model: ModelRef) {
    return explainer.context({ during: 'media', model });
  }

  /** For users who can't see it on a page. */
  function tellEnd(id: string): void {
    const run = gallery.get(id);
    if (run === undefined || [...shown].some((page) => page.shows(run.parameters.kind))) return;
    endNotice(run, gallery.stateOf(run), mediaContext, notifier, async () => {
      await vscode.commands.executeCommand(commandIds.showMedia);
    });
  }

  async function openForm(kind: MediaKind, values?: FormValues, rejected?: RejectedField): Promise<void> {
    const page = studio.open(kind);
    if (values !== undefined) await page.setForm(values, 'same', rejected);
  }

  async function otherModel({ kind, model }: MediaParameters, offered: string | undefined): Promise<void> {
    const chosen = offered ?? (await pickFor(kind, model));
    if (chosen !== undefined) await studio.open(kind).useModel(chosen);
  }

  /** The selection becomes the prompt, and a row of the Models view the model. */
  async function openFor(kind: MediaKind, given: unknown): Promise<void> {
    const prompt = editorSelection();
    const model = modelIdOf(given);
    const before = await studio.values(kind);
    const kept = before.texts.model ?? '';
    const start = await startWith(kind, model ?? kept);
    if (start === undefined) return;
    const page = studio.open(kind);
    if (prompt === undefined && start === kept) return;
    const texts = { ...before.texts, ...(prompt !== undefined && { prompt }), model: start };
    await page.setForm({ ...before, texts }, undefined);
  }

  /** The model to begin with: the last one, or one of the service that the user selects instead. */
  function startWith(ability: Exclude<ModelAbility, 'multimodal'>, before: ModelRef): Promise<ModelRef | undefined> {
    return deps.support.modelFor(ability, before, deps.settings.chatDefaults().model);
  }

  async function insertImage(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return openForm('image');
    const place = new InsertPlace(editor.document, editor.selection.end);
    const prompt = editorSelection();
    const before = await studio.values('image');
    const kept = before.texts.model ?? '';
    const model = await startWith('image', kept);
    if (model === undefined) return place.dispose();
    const texts = { ...before.texts, ...(prompt !== undefined && { prompt }), ...(model !== kept && { model }) };
    await studio.open('image').setForm({ ...before, texts }, place);
  }
}

/** The selection in the Explorer might contain other files. */
function recordingsOf(rows: readonly unknown[]): readonly vscode.Uri[] {
  const uris = rows.filter((row) => row instanceof vscode.Uri);
  return uris.length < 2 ? uris : uris.filter(({ path }) => inputTypeOf(path)?.startsWith('audio/'));
}

function editorSelection(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const text = editor.document.getText(editor.selection).trim().slice(0, longestPrompt);
  return text === '' ? undefined : text;
}
