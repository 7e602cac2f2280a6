import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { formValuesOf } from '../../core/media/formValues.ts';
import type { MediaRun } from '../../core/media/mediaLibrary.ts';
import { cardProblem, notStartedProblem } from '../../core/problems/mediaProblems.ts';
import { offeredModel } from '../../core/problems/offeredModel.ts';
import { systemCode } from '../../core/problems/systemCode.ts';
import { StartingRuns } from '../../core/requests/startingRuns.ts';
import type { FormValues, MediaKind, MediaParameters } from '../../shared/media.ts';
import { rejectedField } from '../../core/media/rejectedField.ts';
import type {
  FieldDefaults,
  FormView,
  ItemAct,
  RejectedField,
  ToMediaHost,
  ToMediaPage,
} from '../../shared/protocol/mediaProtocol.ts';
import { handleMessage, type Handlers, type Unnumbered } from '../../shared/protocol/pageMessage.ts';
import { Queue } from '../disk/queue.ts';
import { DisposableList } from '../platform/disposables.ts';
import { PagePort } from '../platform/pages/pagePort.ts';
import { FormModels, isWithoutModel } from './formModels.ts';
import { mediaItemView } from './mediaItemView.ts';
import { mediaMessageSchema } from './mediaMessage.ts';
import { FormPlace } from './formPlace.ts';
import type { InsertPlace } from './insertPlace.ts';
import { OpenValues } from './openValues.ts';
import { askPresetName } from './presetName.ts';
import type { MediaPageDeps } from './mediaPageDeps.ts';

/** The host of one page: the gallery, with a form above it if `kind` is given. */
export class MediaPageHost implements vscode.Disposable {
  readonly #webview: vscode.Webview;
  readonly #kind: MediaKind | undefined;
  /** The values of its form; undefined for the gallery. */
  readonly values: OpenValues | undefined;
  readonly #deps: MediaPageDeps;
  readonly #own = new DisposableList();
  readonly #port: PagePort<ToMediaPage, ToMediaHost>;
  #seq = 0;
  #isOpen = false;
  /** Counts how often the page was hidden, or closed. */
  #timesHidden = 0;
  /** Those of the latest run: a refusal is about it. */
  #refused: MediaParameters | undefined;
  /** Names that the page shows. */
  #presets: readonly string[] = [];
  readonly #place = new FormPlace();
  /** Sent to the page once, with the form. */
  #once: Pick<FormView, 'rejected' | 'replaced'> = {};
  /** Set if the user opened the form while its page wasn't there. */
  #mayTakeFocus: (() => boolean) | undefined;
  readonly #models: FormModels;
  /** So that a form isn't read while it's being replaced. */
  readonly #formInTurn = new Queue();
  readonly #starting = new StartingRuns();

  constructor(webview: vscode.Webview, kind: MediaKind | undefined, deps: MediaPageDeps) {
    this.#webview = webview;
    this.#kind = kind;
    this.values = kind && new OpenValues(kind, deps.forms, deps.gallery.folder);
    this.#deps = deps;
    this.#models = new FormModels(deps.writtenModel);
    this.#port = new PagePort(webview, deps.pageLog);
    this.#own.add(this.#port.onMessage(mediaMessageSchema, (message) => void this.#receive(message)));
    this.#own.add(deps.gallery.onDidChange((run) => this.#changed(run)));
    if (kind === undefined) return;
    const end = deps.forms.onDidChange(() => void this.#showPresets(kind).catch(deps.onUnexpected));
    this.#own.add({ dispose: end });
  }

  /** Fills the form, where the user can undo that. @param place where its result is inserted */
  async setForm(values: FormValues, place: InsertPlace | undefined | 'same', rejected?: RejectedField): Promise<void> {
    const own = this.values;
    if (own === undefined) return;
    if (place !== 'same') this.#place.next = place;
    await this.#formInTurn.run(async () => {
      const replaced = this.#models.shown(await own.read());
      await own.keep(values);
      // Of several that the page hasn't shown yet, the user has only seen what the first one replaced.
      this.#once = { replaced: this.#once.replaced ?? replaced, ...(rejected !== undefined && { rejected }) };
    });
    await this.#postForm();
  }

  /** Leaves the rest of the form unchanged. */
  async useModel(model: ModelRef): Promise<void> {
    if (this.values === undefined) return;
    const { texts, inputs } = await this.values.read();
    await this.values.keep({ texts: { ...texts, model }, inputs });
    this.#post({ type: 'modelChosen', text: this.#models.text(model) });
  }

  /**
   * The form takes the focus: now, or once its page has loaded, which might be after the user has moved on.
   * @param isActive whether its tab still has the focus
   */
  focusForm(isActive: () => boolean): void {
    if (this.#isOpen) this.#post({ type: 'formFocused' });
    else this.#mayTakeFocus = isActive;
  }

  /** Whether this page shows runs of this kind. */
  shows(kind: MediaKind): boolean {
    return this.#kind === undefined || this.#kind === kind;
  }

  hidden(): void {
    this.#isOpen = false;
    this.#timesHidden += 1;
    this.#mayTakeFocus = undefined;
    this.#deps.shown.delete(this);
  }

  dispose(): void {
    this.hidden();
    this.#place.dispose();
    this.#own.dispose();
  }

  async #receive(message: ToMediaHost): Promise<void> {
    try {
      await handleMessage(this.#handlers, message);
    } catch (error) {
      this.#deps.onUnexpected(error);
    }
  }

  readonly #handlers: Handlers<ToMediaHost, Promise<void> | void> = {
    ready: () => this.#start(),
    run: ({ parameters }) => this.#run({ ...parameters, model: this.#models.ref(parameters.model) }),
    formChanged: async ({ values }) => {
      if (this.values === undefined) return;
      const text = values.texts.model?.trim() ?? '';
      this.#post({ type: 'modelKnown', text, ...this.#known(this.values.kind, this.#models.ref(text)) });
      await this.values.keep(this.#models.kept(values));
    },
    chooseModel: async ({ current }) => {
      if (this.#kind === undefined) return;
      const model = await this.#deps.pickModel(this.#kind, this.#models.ref(current));
      if (model !== undefined) this.#post({ type: 'modelChosen', text: this.#models.text(model) });
    },
    chooseInput: async ({ field }) => {
      const input = await this.#deps.chooseInput(field);
      if (input !== undefined) this.#post({ type: 'inputChosen', field, input });
    },
    savePreset: ({ values }) => this.#savePreset(this.#models.kept(values)),
    usePreset: async ({ name }) => {
      if (this.values === undefined) return;
      const preset = await this.#deps.forms.preset(this.values.kind, name);
      const { prompt } = (await this.values.read()).texts;
      if (preset === undefined) return;
      const texts = { ...preset.texts, ...(prompt !== undefined && { prompt }) };
      await this.setForm({ ...preset, texts }, 'same');
    },
    deletePreset: async ({ name }) => {
      if (this.#kind === undefined) return;
      await this.#deps.forms.deletePreset(this.#kind, name);
      await this.#postForm();
    },
    openForm: ({ kind }) => this.#deps.openForm(kind),
    endInsert: () => {
      this.#place.cancel();
      this.#post({ type: 'placeChanged' });
    },
    act: ({ id, output, act }) => this.#act(id, output, act),
    restore: ({ id }) => this.#deps.gallery.restore(id),
    copyText: async ({ text }) => vscode.env.clipboard.writeText(text),
    runAction: ({ action, id, model }) => {
      const run = id === undefined ? undefined : this.#deps.gallery.get(id);
      if (run !== undefined && action === 'changeField') return this.#changeField(run);
      const about = run?.parameters ?? this.#refused;
      if (about === undefined || !(action === 'useModel' || action === 'selectModel'))
        return this.#deps.runAction(action, about && refParts(about.model).service);
      // For a model that isn't offered, the user is asked.
      return this.#deps.otherModel(about, run && offeredModel(this.#view(run).problem, model));
    },
  };

  async #start(): Promise<void> {
    const { gallery } = this.#deps;
    const timesHidden = this.#timesHidden;
    await gallery.load();
    // Before they're read, so that no change by another window is missed in between.
    await this.#deps.forms.following();
    const form = await this.#form();
    if (timesHidden !== this.#timesHidden) return this.#showAgain(form);
    this.#isOpen = true;
    this.#deps.shown.add(this);
    this.#post({
      type: 'snapshot',
      snapshot: { ...(form !== undefined && { form }), items: this.#shown().map((run) => this.#view(run)) },
    });
    const mayTakeFocus = this.#mayTakeFocus;
    this.#mayTakeFocus = undefined;
    // A field that was rejected has the focus.
    if (form?.rejected === undefined && mayTakeFocus?.() === true) this.#post({ type: 'formFocused' });
    if (this.#once.replaced !== undefined) await this.#postForm();
    // The page doesn't wait for it.
    if (this.values !== undefined && form !== undefined && isWithoutModel(form.values))
      await this.#fillOnlyModel(this.values);
  }

  /** The page is gone, and the next one is shown what this one wasn't. */
  #showAgain({ replaced, rejected }: Partial<FormView> = {}): void {
    if (replaced !== undefined) this.#once = { ...(rejected !== undefined && { rejected }), ...this.#once, replaced };
  }

  /** For a form that was opened before any model list was fetched. */
  async #fillOnlyModel(values: OpenValues): Promise<void> {
    const { fetchModels, onlyModel } = this.#deps;
    await fetchModels();
    const model = await onlyModel(values.kind);
    if (model === undefined || !isWithoutModel(await values.read())) return;
    this.#post({ type: 'modelChosen', text: this.#models.text(model), isOnlyOne: true });
  }

  /** A form only shows results of its own kind. */
  #shown(): readonly MediaRun[] {
    return this.#deps.gallery
      .runs()
      .filter(({ parameters }) => this.#kind === undefined || parameters.kind === this.#kind);
  }

  async #run(parameters: MediaParameters, shows?: () => void): Promise<void> {
    const { gallery, acts, explainer, checkSetup } = this.#deps;
    const place = this.#place.next;
    this.#refused = parameters;
    try {
      await checkSetup(parameters.model);
    } catch (error) {
      const problem = explainer.problemOfError(error, { during: 'command', model: parameters.model });
      return this.#post({ type: 'runRefused', problem: cardProblem(problem) });
    }
    let started;
    try {
      started = await gallery.start(parameters);
    } catch (error) {
      this.#deps.onUnexpected(error);
      return this.#post({ type: 'runRefused', problem: notStartedProblem(systemCode(error)) });
    }
    const { id, over } = started;
    this.#post({ type: 'runAccepted', id });
    shows?.();
    if (place === undefined) return void over.then(() => this.#deps.onOver(id));
    const isInserted = await this.#place.after(place, over, async () => {
      if (gallery.get(id)?.outputs[0]?.file === undefined) return false;
      return acts.insertAt(id, 0, place);
    });
    if (this.#place.next === undefined) this.#post({ type: 'placeChanged' });
    if (!isInserted) this.#deps.onOver(id);
  }

  async #act(id: string, output: number, act: ItemAct): Promise<void> {
    const { gallery, acts, openForm } = this.#deps;
    const run = gallery.get(id);
    if (run === undefined) return;
    switch (act) {
      case 'stop':
        return gallery.stop(id);
      case 'download':
        return gallery.download(id, output);
      case 'delete':
        return gallery.delete(id);
      case 'open':
      case 'save':
      case 'copyLink':
      case 'insert':
        return acts[act](run, output);
      case 'runAgain':
        return this.#starting.start(`${id} ${act}`, (shows) => this.#run(run.parameters, shows));
      case 'makeFinal': {
        if (!('draft' in run.parameters)) return;
        const { draft: _draft, ...final } = run.parameters;
        return this.#starting.start(`${id} ${act}`, (shows) => this.#run(final, shows));
      }
      case 'vary': {
        const values = formValuesOf(run.parameters);
        return this.#kind === run.parameters.kind
          ? this.setForm(values, 'same')
          : openForm(run.parameters.kind, values);
      }
    }
  }

  /** Restores its values in the form, where they can be changed. */
  async #changeField({ parameters, failure }: MediaRun): Promise<void> {
    const rejected = rejectedField(failure, parameters);
    const values = formValuesOf(parameters);
    if (this.#kind === parameters.kind) await this.setForm(values, 'same', rejected);
    else await this.#deps.openForm(parameters.kind, values, rejected);
  }

  async #savePreset(values: FormValues): Promise<void> {
    if (this.values === undefined) return;
    const { forms } = this.#deps;
    const { kind } = this.values;
    const name = await askPresetName(await forms.presetNames(kind));
    if (name === undefined) return;
    await forms.savePreset(kind, name, values);
    await this.values.keep(values);
    await this.#postForm();
  }

  async #form(): Promise<FormView | undefined> {
    const own = this.values;
    return own === undefined ? undefined : this.#formInTurn.run(() => this.#readForm(own));
  }

  async #readForm(own: OpenValues): Promise<FormView> {
    const { forms, onlyModel } = this.#deps;
    const { kind } = own;
    const insertInto = this.#place.next?.name;
    const kept = await own.read();
    const only = isWithoutModel(kept) ? await onlyModel(kind) : undefined;
    const values = only === undefined ? kept : { ...kept, texts: { ...kept.texts, model: only } };
    const model = values.texts.model?.trim() ?? '';
    const once = this.#once;
    this.#once = {};
    this.#presets = await forms.presetNames(kind);
    return {
      kind,
      values: this.#models.shown(values),
      presets: this.#presets,
      ...this.#known(kind, model),
      ...once,
      ...(insertInto !== undefined && { insertInto }),
    };
  }

  /** What is known about the model in the form. */
  #known(kind: MediaKind, model: ModelRef): Pick<FormView, 'prices' | 'lack'> & { readonly defaults: FieldDefaults } {
    const { pricesOf, defaultsOf, lackOf } = this.#deps;
    const [prices, lack] = [pricesOf(model), lackOf(kind, model)];
    return {
      defaults: defaultsOf(kind, model),
      ...(prices !== undefined && { prices }),
      ...(lack !== undefined && { lack }),
    };
  }

  /** Another window might have saved or deleted one. The values in the form stay: each window has its own. */
  async #showPresets(kind: MediaKind): Promise<void> {
    const names = await this.#deps.forms.presetNames(kind);
    if (!this.#isOpen || isDeepStrictEqual(names, this.#presets)) return;
    this.#presets = names;
    this.#post({ type: 'presetsChanged', names });
  }

  /** A page that isn't open yet gets it when it is. */
  async #postForm(): Promise<void> {
    if (!this.#isOpen) return;
    const form = await this.#form();
    if (form !== undefined) this.#post({ type: 'formSet', form });
  }

  #changed(run: MediaRun): void {
    if (this.#kind !== undefined && run.parameters.kind !== this.#kind) return;
    if (run.isDeleted) this.#post({ type: 'itemRemoved', id: run.id, canRestore: true });
    else this.#post({ type: 'itemChanged', item: this.#view(run) });
  }

  #view(run: MediaRun) {
    const { gallery, explainer } = this.#deps;
    return mediaItemView(run, gallery, explainer, (file) =>
      this.#webview.asWebviewUri(vscode.Uri.file(gallery.folder.path(file))).toString(),
    );
  }

  #post(fact: Unnumbered<ToMediaPage>): void {
    if (!this.#isOpen) return this.#port.skipped(fact);
    this.#seq += 1;
    this.#port.post({ ...fact, seq: this.#seq });
  }
}
