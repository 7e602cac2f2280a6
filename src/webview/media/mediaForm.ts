import * as l10n from '@vscode/l10n';
import {
  type FieldRow,
  fieldsOf,
  type FormValues,
  type InputName,
  type MediaInput,
  type MediaKind,
  type TextField,
} from '../../shared/media.ts';
import type {
  FieldDefaults,
  FormView,
  RejectedField,
  ToMediaHost,
  ToMediaPage,
} from '../../shared/protocol/mediaProtocol.ts';
import type { Problem } from '../../shared/problem.ts';
import { fieldWords, kindWords } from '../../words/mediaWords.ts';
import { element, setText, textButton } from '../kit/element.ts';
import { isImeKey, isMac } from '../kit/keys.ts';
import { growWithText } from '../kit/growWithText.ts';
import { ProblemSlot } from '../kit/problemCard.ts';
import type { Ticker } from '../kit/ticker.ts';
import { inputModeOf } from '../kit/typedNumber.ts';
import { FormNotes } from './formNotes.ts';
import { InputField } from './inputField.ts';
import { keepEndInView } from './keepEndInView.ts';
import { type Complaints, parametersOf } from './parameters.ts';
import { PresetBox } from './presetBox.ts';
import { RunButton } from './runButton.ts';

const PAUSE_MS = 300;

interface TextControl {
  readonly control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  readonly complaint: HTMLElement;
  readonly note: HTMLElement;
}

/** The parameters of a video or an image. A field that is left empty isn't sent. */
export class MediaForm {
  /** Not a `form` element, because the page isn't allowed to submit one. */
  readonly element: HTMLElement;
  readonly #kind: MediaKind;
  readonly #post: (message: ToMediaHost) => void;
  readonly #fields = new Map<TextField, TextControl>();
  readonly #inputs = new Map<InputName, InputField>();
  readonly #presets: PresetBox;
  readonly #notes: FormNotes;
  readonly #refusal: ProblemSlot;
  readonly #run: RunButton;
  readonly #grow: () => void;
  readonly #showEndOfModel: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasShown = false;
  #wasAsked = false;
  /** What to say about the model in the field. */
  #aboutModel: Pick<FormView, 'prices' | 'lack'> & { readonly text: string } = { text: '' };

  constructor(kind: MediaKind, post: (message: ToMediaHost) => void, ticker: Ticker) {
    this.#kind = kind;
    this.#post = post;
    this.#refusal = new ProblemSlot(
      { class: 'refusal', role: 'alert' },
      {
        run: (action) => post({ type: 'runAction', action }),
        copy: (text) => post({ type: 'copyText', text }),
        dismiss: () => {
          this.#refusal.show(undefined);
          this.focus();
        },
      },
      ticker,
    );
    const title = kindWords(kind).generate;
    this.#run = new RunButton(title, () => this.#submit());
    this.#presets = new PresetBox({
      use: (name) => post({ type: 'usePreset', name }),
      forget: (name) => post({ type: 'deletePreset', name }),
    });
    this.#notes = new FormNotes({
      endInsert: () => post({ type: 'endInsert' }),
      putBack: (values) => {
        const replaced = this.values();
        this.#fill(values);
        this.#complain({});
        this.#tell();
        return replaced;
      },
      goOn: () => this.focus(),
    });
    const prompt = element('textarea', { id: fieldId('prompt'), rows: '4' });
    const model = element('input', {
      id: fieldId('model'),
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: '<provider>/<model>',
    });
    const choose = textButton('button secondary', l10n.t('Select…'), () =>
      post({ type: 'chooseModel', current: model.value.trim() }),
    );
    choose.setAttribute('aria-label', l10n.t('Select a model'));
    this.#showEndOfModel = keepEndInView(model);
    const { typed, inputs, choices } = this.#drawFields(kind);
    this.element = element(
      'section',
      { class: 'media-form', 'aria-label': title },
      element('div', { class: 'form-head' }, element('h1', {}, title), this.#presets.select, this.#presets.forget),
      this.#notes.element,
      this.#labeled('prompt', fieldWords('prompt').label, prompt),
      this.#labeled('model', l10n.t('Model'), model, element('div', { class: 'with-button' }, model, choose)),
      element('div', { class: 'field-grid' }, ...typed),
      ...inputs,
      ...(choices.length > 0 ? [element('div', { class: 'field-grid three' }, ...choices)] : []),
      this.#refusal.element,
      element(
        'div',
        { class: 'form-foot' },
        this.#run.element,
        element('span', { class: 'hint' }, shortcut()),
        element('div', { class: 'space' }),
        textButton('link', l10n.t('Save as Preset…'), () => post({ type: 'savePreset', values: this.values() })),
      ),
    );
    this.#grow = growWithText(prompt);
    this.element.addEventListener('input', () => this.#changed());
    this.element.addEventListener('change', () => this.#tell());
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || isImeKey(event)) return;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        if (!event.repeat) this.#submit();
      } else if (event.target instanceof HTMLInputElement) {
        // Enter in a field does nothing: sending costs money, so it takes the button, or its keyboard shortcut.
        event.preventDefault();
      }
    });
  }

  /** Without affecting what is being typed. */
  showPresets(names: readonly string[]): void {
    this.#presets.show(names);
  }

  showPlace(insertInto: string | undefined): void {
    this.#notes.showPlace(insertInto);
  }

  show({ values, presets, prices, lack, insertInto, rejected, replaced, defaults = {} }: FormView): void {
    this.#endTimer();
    // The host learns a moment later what is typed.
    const before = this.#wasShown ? this.values() : replaced;
    this.#wasShown = true;
    this.#fill(values);
    if (replaced !== undefined && before !== undefined) this.#notes.offerBack(before, this.values());
    this.#presets.show(presets);
    this.#notes.showPlace(insertInto);
    this.#complain({});
    this.#wasAsked = false;
    this.#aboutModel = {
      text: values.texts.model?.trim() ?? '',
      ...(prices !== undefined && { prices }),
      ...(lack !== undefined && { lack }),
    };
    this.#showDefaults(defaults);
    this.#note();
    if (rejected !== undefined) this.#reject(rejected, true);
  }

  #fill(values: FormValues): void {
    for (const [name, { control }] of this.#fields) control.value = values.texts[name] ?? '';
    this.#showEndOfModel();
    for (const [name, field] of this.#inputs) field.show(values.inputs[name]);
    this.#grow();
  }

  focus(): void {
    this.#fields.get('prompt')?.control.focus();
  }

  /** @param isOnlyOne true if the user didn't choose it: it replaces nothing, and takes the focus from nothing */
  setModel(text: string, isOnlyOne = false): void {
    const field = this.#fields.get('model')?.control;
    if (field === undefined || (isOnlyOne && field.value.trim() !== '')) return;
    field.value = text;
    if (isOnlyOne) this.#showEndOfModel();
    else field.focus();
    this.#changed();
  }

  /** Stored with its model, because another one might have been typed in the meantime. */
  setModelFacts({ defaults, ...about }: Omit<Extract<ToMediaPage, { type: 'modelKnown' }>, 'seq' | 'type'>): void {
    this.#aboutModel = about;
    if (about.text === this.#fields.get('model')?.control.value.trim()) this.#showDefaults(defaults);
    this.#note();
  }

  /**
   * A run failed because of a field, which is marked if it still has the value that was sent. The focus isn't taken
   * from where the user is typing, here or elsewhere in VS Code.
   */
  rejectedNow(rejected: RejectedField): void {
    const { field, value } = rejected;
    if (this.#fields.get(field)?.control.value.trim() !== value) return;
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement === this.#run.element;
    this.#reject(rejected, isFree && document.hasFocus());
  }

  #reject({ field, words }: RejectedField, isToBeShown: boolean): void {
    const { control, complaint } = this.#fields.get(field) ?? {};
    if (control === undefined || complaint === undefined) return;
    markWrong(control, complaint, words);
    if (!isToBeShown) return;
    control.scrollIntoView({ block: 'center' });
    control.focus({ preventScroll: true });
    if (control instanceof HTMLInputElement) control.select();
  }

  /** What happens if a field is left empty. Without the model list, it only says that the service decides. */
  #showDefaults(defaults: FieldDefaults): void {
    for (const [name, { control }] of this.#fields) {
      if (name === 'model' || !(control instanceof HTMLInputElement)) continue;
      const known = defaults[name];
      control.placeholder = known === undefined ? l10n.t('Service default') : l10n.t('{0} by default', known);
    }
  }

  setInput(name: InputName, input: MediaInput): void {
    this.#inputs.get(name)?.choose(input);
    this.#changed();
  }

  /** Why nothing was sent. The form keeps its values. */
  refuse(problem: Problem | undefined): void {
    this.#run.isBusy = false;
    this.#refusal.show(problem);
    if (problem !== undefined) this.#refusal.element.scrollIntoView({ block: 'nearest' });
  }

  values(): FormValues {
    const texts: Partial<Record<TextField, string>> = {};
    for (const [name, { control }] of this.#fields) if (control.value !== '') texts[name] = control.value;
    const inputs: Partial<Record<InputName, MediaInput>> = {};
    for (const [name, { value }] of this.#inputs) if (value !== undefined) inputs[name] = value;
    return { texts, inputs };
  }

  #submit(): void {
    // A double click doesn't mean two runs.
    if (this.#run.isBusy) return;
    this.#wasAsked = true;
    this.#tell();
    const values = this.values();
    const parsed = parametersOf(this.#kind, values);
    this.#complain(parsed.kind === 'wrong' ? parsed.complaints : {});
    if (parsed.kind === 'wrong') {
      this.element.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
      return;
    }
    this.#refusal.show(undefined);
    this.#notes.endOffer();
    this.#run.isBusy = true;
    this.#post({ type: 'run', parameters: parsed.parameters });
  }

  #changed(): void {
    this.#note();
    const parsed = this.#wasAsked ? parametersOf(this.#kind, this.values()) : undefined;
    // The service's error is outdated once something is changed.
    this.#complain(parsed?.kind === 'wrong' ? parsed.complaints : {});
    this.#endTimer();
    this.#timer = setTimeout(() => this.#tell(), PAUSE_MS);
  }

  #tell(): void {
    this.#endTimer();
    this.#post({ type: 'formChanged', values: this.values() });
  }

  /** Says which field overrides which, next to the field. */
  #note(): void {
    const { text, prices, lack } = this.#aboutModel;
    const words = lack ?? (prices === undefined ? '' : l10n.t('List price: {0}', prices));
    this.#setNote('model', text === this.#fields.get('model')?.control.value.trim() ? words : '');
    const hasImage = this.#inputs.get('image')?.value !== undefined;
    const hasAudio = this.#inputs.get('audio')?.value !== undefined;
    this.#setNote('duration', hasAudio ? l10n.t('Set by the audio file') : '');
    this.#setNote('aspectRatio', hasImage ? l10n.t('Set by the image') : '');
    this.#setNote('saveAudio', hasAudio ? '' : l10n.t('Requires audio'));
  }

  #setNote(name: TextField, text: string): void {
    const field = this.#fields.get(name);
    if (field === undefined) return;
    setText(field.note, text);
    field.control.classList.toggle('overridden', text !== '' && name !== 'model');
  }

  #complain(complaints: Complaints): void {
    for (const [name, { control, complaint }] of this.#fields) markWrong(control, complaint, complaints[name]);
    for (const [name, { box, complaint }] of this.#inputs) markWrong(box, complaint, complaints[name]);
  }

  /** All except the prompt, which is above the model. */
  #drawFields(kind: MediaKind) {
    const [typed, inputs, choices]: [HTMLElement[], HTMLElement[], HTMLElement[]] = [[], [], []];
    for (const row of fieldsOf(kind)) {
      switch (row.type) {
        case 'prompt':
          break;
        case 'word':
        case 'number':
        case 'size':
          typed.push(this.#textField(row));
          break;
        case 'input':
          inputs.push(this.#inputField(row.name));
          break;
        case 'choice':
          choices.push(this.#choice(row));
          break;
      }
    }
    return { typed, inputs, choices };
  }

  #textField(row: Extract<FieldRow, { type: 'word' | 'number' | 'size' }>): HTMLElement {
    const { name, suggestions } = row;
    const list = suggestions.length === 0 ? undefined : element('datalist', { id: `${fieldId(name)}-list` });
    for (const value of suggestions) list?.append(element('option', { value }));
    const control = element('input', {
      id: fieldId(name),
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: l10n.t('Service default'),
      inputmode: row.type === 'number' ? inputModeOf(row.kind) : false,
      list: list?.id ?? false,
    });
    const field = this.#labeled(name, fieldWords(name).label, control);
    if (list !== undefined) field.append(list);
    return field;
  }

  #choice({ name, isOnByDefault }: Extract<FieldRow, { type: 'choice' }>): HTMLElement {
    const control = element('select', { id: fieldId(name) });
    const words = isOnByDefault ? l10n.t('Default (on)') : l10n.t('Default (off)');
    control.append(
      element('option', { value: '' }, words),
      element('option', { value: 'on' }, l10n.t('On')),
      element('option', { value: 'off' }, l10n.t('Off')),
    );
    return this.#labeled(name, fieldWords(name).label, control);
  }

  #labeled(name: TextField, label: string, control: TextControl['control'], shown: HTMLElement = control): HTMLElement {
    const complaint = element('div', { class: 'complaint', id: `${control.id}-complaint` });
    const note = element('div', { class: 'note', id: `${control.id}-note` });
    control.setAttribute('aria-describedby', `${note.id} ${complaint.id}`);
    this.#fields.set(name, { control, complaint, note });
    return element('div', { class: 'field' }, element('label', { for: control.id }, label), shown, note, complaint);
  }

  #inputField(name: InputName): HTMLElement {
    const field = new InputField(name, fieldWords(name).label, {
      chooseFile: (wanted) => this.#post({ type: 'chooseInput', field: wanted }),
      changed: () => this.#changed(),
    });
    this.#inputs.set(name, field);
    return field.element;
  }

  #endTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

function fieldId(name: TextField): string {
  return `parlance-media-${name}`;
}

function markWrong(control: HTMLElement, complaint: HTMLElement, words: string | undefined): void {
  setText(complaint, words ?? '');
  if (words === undefined) control.removeAttribute('aria-invalid');
  else control.setAttribute('aria-invalid', 'true');
}

function shortcut(): string {
  return isMac() ? '⌘ Enter' : 'Ctrl+Enter';
}
