import * as l10n from '@vscode/l10n';
import { type ChatOptions, chatOptionsOf } from '../../../shared/chat.ts';
import { type ChatParameterName, chatParameters } from '../../../shared/chatParameters.ts';
import { mapTable } from '../../../shared/mapTable.ts';
import { parameterLabels } from '../../../words/parameterWords.ts';
import { element, iconButton, textButton } from '../../kit/element.ts';
import { growWithText } from '../../kit/growWithText.ts';
import { isImeKey } from '../../kit/keys.ts';
import { inputModeOf, typedNumber } from '../../kit/typedNumber.ts';
import { sameParameters, withOption, withoutParameters } from './optionFields.ts';

/** What the panel reports to the page. */
export interface ParameterActs {
  changed(options: ChatOptions): void;
  closed(): void;
}

interface NumberField {
  readonly option: ChatParameterName;
  readonly input: HTMLInputElement;
  readonly complaint: HTMLElement;
}

const PAUSE_MS = 300;

/** The parameters of this conversation. An empty field isn't sent, or has the value from the settings. */
export class ParametersPanel {
  readonly element: HTMLElement;
  readonly #acts: ParameterActs;
  readonly #systemPrompt: HTMLTextAreaElement;
  readonly #stream: HTMLSelectElement;
  readonly #numbers: Readonly<Record<ChatParameterName, NumberField>>;
  #options: ChatOptions = {};
  /** True while the fields contain something that was typed and not reported. */
  #isTyped = false;
  /** What was reported and hasn't been confirmed yet, oldest first. */
  #told: readonly ChatOptions[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param idPrefix begins the IDs of its elements, because a page can have several panels */
  constructor(acts: ParameterActs, idPrefix = 'parlance') {
    this.#acts = acts;
    this.#systemPrompt = element('textarea', { id: `${idPrefix}-system-prompt`, rows: '2', spellcheck: 'false' });
    this.#stream = element('select', { id: `${idPrefix}-stream` });
    this.#numbers = mapTable(chatParameters, (_, option) => numberField(option, idPrefix));
    const grid = element('div', { class: 'parameter-grid' });
    const labels = parameterLabels();
    for (const { option, input, complaint } of Object.values(this.#numbers))
      grid.append(labeled(labels[option], input, complaint));
    grid.append(labeled(l10n.t('Stream'), this.#stream));
    const heading = element('h2', { id: `${idPrefix}-parameters-title` }, l10n.t('Parameters'));
    this.element = element(
      'section',
      { class: 'parameters', id: `${idPrefix}-parameters`, 'aria-labelledby': heading.id, hidden: true },
      element(
        'div',
        { class: 'parameters-head' },
        heading,
        textButton('link', l10n.t('Reset'), () => this.#reset()),
        iconButton('close', l10n.t('Close'), () => this.close()),
      ),
      labeled(l10n.t('System prompt'), this.#systemPrompt),
      grid,
    );
    for (const value of ['default', 'on', 'off']) this.#stream.append(element('option', { value }));
    this.element.addEventListener('input', () => this.#typed());
    this.element.addEventListener('change', () => this.flush());
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || isImeKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
    growWithText(this.#systemPrompt);
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(): void {
    this.element.hidden = false;
    this.#systemPrompt.focus();
  }

  /** Valid values are kept. An invalid field gets its old value back. */
  close(): void {
    if (!this.isOpen) return;
    this.settle();
    this.element.hidden = true;
    this.#fill(undefined);
    this.#acts.closed();
  }

  /** Reports the valid values at once and for the last time: the next values belong to another conversation. */
  settle(): void {
    if (this.#isTyped) this.#tell();
  }

  /** Reports the valid values so far, without ending the input, because the page might go away and never come back. */
  save(): void {
    if (this.#isTyped) this.#change(this.#read());
  }

  /** @param isOther true for the options of another conversation: then no field is being edited. */
  show(options: ChatOptions, defaults: ChatOptions, isOther: boolean): void {
    const echoed = this.#told.findIndex((told) => sameParameters(told, options));
    this.#told = isOther ? [] : this.#told.slice(echoed + 1);
    // The host hasn't echoed what was set since. The model is selected elsewhere.
    const isOld = this.#told.length > 0;
    this.#options = isOld ? withOption(this.#options, 'model', options.model) : options;
    const unset = l10n.t('Not sent');
    this.#systemPrompt.placeholder = defaults.systemPrompt ?? unset;
    for (const { option, input } of Object.values(this.#numbers)) input.placeholder = String(defaults[option] ?? unset);
    const words = [
      defaults.stream === false ? l10n.t('Default (off)') : l10n.t('Default (on)'),
      l10n.t('On'),
      l10n.t('Off'),
    ];
    words.forEach((word, index) => {
      const option = this.#stream.options[index];
      if (option !== undefined) option.textContent = word;
    });
    // The echo of text that is being typed must not move the cursor or undo a half-typed number.
    if (isOther) this.#fill(undefined);
    else if (!this.#isTyped && !isOld) this.#fill(document.activeElement);
  }

  /** The first field with a value that can't be sent. */
  get invalidField(): HTMLElement | undefined {
    if (!this.isOpen) return undefined;
    return Object.values(this.#numbers).find(
      ({ option, input }) => typedNumber(input.value, chatParameters[option].kind).kind === 'invalid',
    )?.input;
  }

  /** Reports at once what was typed last. */
  flush(): void {
    if (this.#timer === undefined) return;
    this.#endTimer();
    if (this.invalidField === undefined) this.#tell();
  }

  #tell(): void {
    this.#endTimer();
    this.#isTyped = false;
    this.#options = this.#read();
    this.#change(this.#options);
  }

  #change(options: ChatOptions): void {
    this.#told = [...this.#told, options];
    this.#acts.changed(options);
  }

  #typed(): void {
    for (const field of Object.values(this.#numbers)) showComplaint(field);
    this.#isTyped = true;
    this.#endTimer();
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** The values of the fields. A field without a valid value keeps its old one. */
  #read(): ChatOptions {
    const prompt = this.#systemPrompt.value;
    const stream = this.#stream.value;
    return chatOptionsOf({
      model: this.#options.model,
      systemPrompt: prompt.trim() === '' ? undefined : prompt,
      ...mapTable(this.#numbers, ({ input }, option) => {
        const parsed = typedNumber(input.value, chatParameters[option].kind);
        if (parsed.kind === 'invalid') return this.#options[option];
        return parsed.kind === 'value' ? parsed.value : undefined;
      }),
      stream: stream === 'default' ? undefined : stream === 'on',
    });
  }

  #reset(): void {
    this.#endTimer();
    this.#options = withoutParameters(this.#options);
    this.#fill(undefined);
    this.#change(this.#options);
  }

  /** @param spared the field that is being edited. */
  #fill(spared: Element | null | undefined): void {
    if (spared === undefined) {
      this.#isTyped = false;
      this.#endTimer();
    }
    const { systemPrompt, stream } = this.#options;
    if (this.#systemPrompt !== spared) this.#systemPrompt.value = systemPrompt ?? '';
    if (this.#stream !== spared) this.#stream.value = stream === undefined ? 'default' : stream ? 'on' : 'off';
    for (const field of Object.values(this.#numbers)) {
      if (field.input !== spared) field.input.value = String(this.#options[field.option] ?? '');
      showComplaint(field);
    }
  }

  #endTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

function numberField(option: ChatParameterName, idPrefix: string): NumberField {
  const id = `${idPrefix}-${option}`;
  const complaint = element('div', { class: 'complaint', id: `${id}-complaint` });
  const inputMode = inputModeOf(chatParameters[option].kind);
  const input = element('input', { id, type: 'text', inputmode: inputMode, autocomplete: 'off' });
  return { option, input, complaint };
}

function showComplaint({ option, input, complaint }: NumberField): void {
  const parsed = typedNumber(input.value, chatParameters[option].kind);
  complaint.textContent = parsed.kind === 'invalid' ? parsed.message : '';
  if (parsed.kind === 'invalid') {
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', complaint.id);
  } else {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
}

function labeled(label: string, control: HTMLElement, ...rest: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'field' }, element('label', { for: control.id }, label), control, ...rest);
}
