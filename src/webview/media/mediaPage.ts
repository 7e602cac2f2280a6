import * as l10n from '@vscode/l10n';
import { type MediaKind, mediaKinds } from '../../shared/media.ts';
import type { MediaItemView, MediaSnapshot, ToMediaHost, ToMediaPage } from '../../shared/protocol/mediaProtocol.ts';
import { handleMessage, type Handlers } from '../../shared/protocol/pageMessage.ts';
import { kindWords } from '../../words/mediaWords.ts';
import { element, icon, iconButton, textButton } from '../kit/element.ts';
import { keepFocus } from '../kit/keepFocus.ts';
import { LeadingButton } from '../kit/leadingButton.ts';
import { Ticker } from '../kit/ticker.ts';
import type { Host } from '../kit/host/host.ts';
import { GalleryList } from './galleryList.ts';
import { titleOf } from './itemCard.ts';
import { MediaForm } from './mediaForm.ts';
import { kindIcons } from './outputFrame.ts';

const TICK_MS = 1000;

/** What VS Code stores for a tab: after a restart it identifies its form. */
export interface KeptKind {
  readonly kind?: MediaKind;
}

/** The page: the gallery, with a form next to it in a tab. */
export class MediaPage {
  readonly element = element('main', { class: 'media', hidden: true });
  readonly #host: Host<KeptKind, ToMediaHost, ToMediaPage>;
  readonly #ticker = new Ticker(TICK_MS);
  readonly #gallery: GalleryList;
  readonly #empty = element('div', { class: 'none-yet' });
  readonly #undo = element('div', { class: 'undo', role: 'status', hidden: true });
  readonly #news = element('div', { class: 'visually-hidden', role: 'status' });
  /** For the gallery. A form has a visible one. */
  readonly #heading = element('h1', { class: 'visually-hidden' }, l10n.t('Videos and images'));
  readonly #results: HTMLElement;
  readonly #leading = new LeadingButton(this.element);
  #form: MediaForm | undefined;
  #kind: MediaKind | undefined;
  #seq = 0;
  /** ID of the deleted card that Undo is offered for. */
  #deleted: string | undefined;
  /** ID of a card that Undo brings back, until it's there. */
  #returning: string | undefined;

  constructor(host: Host<KeptKind, ToMediaHost, ToMediaPage>) {
    this.#host = host;
    const post = (message: ToMediaHost) => host.post(message);
    this.#gallery = new GalleryList(
      {
        act: (id, output, act) => post({ type: 'act', id, output, act }),
        runAction: (id, action, model) =>
          post({ type: 'runAction', action, id, ...(model !== undefined && { model }) }),
        copy: (text) => post({ type: 'copyText', text }),
      },
      this.#ticker,
    );
    this.#results = element('section', { class: 'results', 'aria-label': l10n.t('Results') });
    this.#results.append(this.#empty, this.#gallery.element, this.#undo);
    this.element.append(this.#results, this.#news);
  }

  start(): void {
    this.#host.post({ type: 'ready' });
  }

  receive(message: ToMediaPage): void {
    if (message.type !== 'snapshot' && message.seq !== this.#seq + 1) return this.start();
    this.#seq = message.seq;
    this.#keepingFocus(() => handleMessage(this.#handlers, message));
    this.#leading.changed();
  }

  /** Whatever is drawn, someone with a keyboard doesn't have to start again at the top. */
  #keepingFocus(act: () => void): void {
    const focused = document.activeElement;
    const card = focused?.closest('.card')?.getAttribute('data-id') ?? undefined;
    const wasInForm = this.#form?.element.contains(focused) === true;
    act();
    keepFocus(focused, () => {
      if (!wasInForm && (this.#gallery.focus(card) || this.#gallery.focusHeir())) return;
      if (this.#form !== undefined) return this.#form.focus();
      this.#empty.querySelector('button')?.focus();
    });
  }

  readonly #handlers: Handlers<ToMediaPage> = {
    snapshot: ({ snapshot }) => this.#start(snapshot),
    itemChanged: ({ item }) => this.#change(item),
    itemRemoved: ({ id, canRestore }) => {
      this.#gallery.remove(id);
      this.#drawEmpty();
      if (canRestore) this.#offerUndo(id);
    },
    formSet: ({ form }) => this.#form?.show(form),
    formFocused: () => this.#form?.focus(),
    placeChanged: ({ insertInto }) => this.#form?.showPlace(insertInto),
    presetsChanged: ({ names }) => this.#form?.showPresets(names),
    modelKnown: (known) => this.#form?.setModelFacts(known),
    modelChosen: ({ text, isOnlyOne }) => this.#form?.setModel(text, isOnlyOne),
    inputChosen: ({ field, input }) => this.#form?.setInput(field, input),
    runAccepted: ({ id }) => {
      this.#form?.refuse(undefined);
      this.#gallery.reveal(id);
      const item = this.#gallery.item(id);
      if (item !== undefined) this.#news.textContent = l10n.t('Generating: {0}', titleOf(item));
    },
    runRefused: ({ problem }) => this.#refused(problem),
  };

  #start({ form, items }: MediaSnapshot): void {
    this.#kind = form?.kind;
    this.#host.remember(form === undefined ? {} : { kind: form.kind });
    const isNew = this.#form === undefined;
    // A field that was rejected only takes the focus once it's visible.
    this.element.hidden = false;
    if (form !== undefined) {
      this.#form ??= new MediaForm(form.kind, (message) => this.#host.post(message), this.#ticker);
      if (isNew) this.element.prepend(this.#form.element);
      this.#form.show(form);
    } else if (this.#heading.parentElement === null) this.element.prepend(this.#heading);
    this.element.classList.toggle('studio', form !== undefined);
    this.#gallery.showAll(items);
    if (items.some(({ id }) => id === this.#deleted)) this.#hideNote();
    this.#drawEmpty();
    // The form might have missed what it was waiting for.
    if (!isNew) this.#form?.refuse(undefined);
  }

  #change(item: MediaItemView): void {
    const before = this.#gallery.item(item.id);
    this.#gallery.change(item);
    // Undo might have been pressed in another page or window.
    if (item.id === this.#deleted) this.#hideNote();
    this.#drawEmpty();
    if (item.id === this.#returning) {
      this.#returning = undefined;
      // Unless the user has gone on since.
      if (this.#results.contains(document.activeElement)) this.#gallery.focus(item.id);
    }
    if (before === undefined) return;
    const news = newsOf(item);
    if (news !== '' && news !== newsOf(before)) this.#news.textContent = news;
    if (before.state === item.state) return;
    if (item.rejected !== undefined && item.kind === this.#kind) this.#form?.rejectedNow(item.rejected);
  }

  #refused(problem: Parameters<MediaForm['refuse']>[0]): void {
    if (this.#form !== undefined) return this.#form.refuse(problem);
    if (problem === undefined) return;
    this.#deleted = undefined;
    this.#undo.replaceChildren(
      icon(problem.severity),
      element('span', {}, `${problem.title}. ${problem.detail}`),
      iconButton('close', l10n.t('Dismiss'), () => this.#endUndo()),
    );
    this.#undo.hidden = false;
  }

  #endUndo(): void {
    this.#keepingFocus(() => this.#hideNote());
  }

  #hideNote(): void {
    this.#deleted = undefined;
    this.#undo.hidden = true;
  }

  #offerUndo(id: string): void {
    this.#deleted = id;
    this.#undo.replaceChildren(
      element('span', {}, l10n.t('Deleted.')),
      textButton('link', l10n.t('Undo'), () => {
        this.#returning = id;
        this.#host.post({ type: 'restore', id });
        this.#endUndo();
      }),
      element('div', { class: 'space' }),
      iconButton('close', l10n.t('Dismiss'), () => this.#endUndo()),
    );
    this.#undo.hidden = false;
  }

  #drawEmpty(): void {
    const isEmpty = this.#gallery.count === 0;
    this.#empty.hidden = !isEmpty;
    this.#gallery.element.hidden = isEmpty;
    if (!isEmpty || this.#empty.childElementCount > 0) return;
    if (this.#kind !== undefined) {
      const { appear } = kindWords(this.#kind);
      this.#empty.append(icon(kindIcons[this.#kind]), element('p', {}, appear), element('p', {}, keptNote()));
      return;
    }
    this.#empty.append(
      element('p', {}, l10n.t('Videos and images you generate are kept here.')),
      ...mediaKinds.map((kind, index) =>
        textButton(index === 0 ? 'button' : 'button secondary', kindWords(kind).generate, () =>
          this.#host.post({ type: 'openForm', kind }),
        ),
      ),
    );
  }
}

function keptNote(): string {
  return l10n.t('Files are downloaded to this machine right away because links expire.');
}

function newsOf({ state, kind, problem, outputs }: MediaItemView): string {
  switch (state) {
    case 'done':
      if (outputs.every((output) => output.state === 'saved')) return kindWords(kind).made;
      return outputs.find((output) => output.state === 'failed')?.problem?.title ?? '';
    case 'failed':
      return kindWords(kind).failed;
    case 'unknown':
      return problem?.title ?? '';
    case 'stopped':
      return l10n.t('Stopped');
    case 'running':
    case 'elsewhere':
      return '';
  }
}
