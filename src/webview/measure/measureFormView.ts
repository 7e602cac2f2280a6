import * as l10n from '@vscode/l10n';
import {
  type MeasureField,
  type MeasureForm,
  measureOrders,
  type TakenWorkload,
  takenWorkloads,
  type Workload,
  workloads,
} from '../../shared/measuring.ts';
import type { MeasurePlanView, ToMeasureHost } from '../../shared/protocol/measureProtocol.ts';
import { costText, namedCost } from '../../words/amount.ts';
import { orderText, workloadText } from '../../words/measuredWords.ts';
import { numberText } from '../../words/numberText.ts';
import { roughTokensText } from '../../words/tokens.ts';
import { element, icon, iconButton, setText, textButton } from '../kit/element.ts';
import { NumberFields } from './numberFields.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { modelsText } from '../../words/modelsText.ts';

const CHANGE_DELAY_MS = 250;

/** The form, which is a single line after a run. The host checks the input. */
export class MeasureFormView {
  readonly element = element('section', { class: 'measure-form', 'aria-label': l10n.t('What to measure') });
  readonly #post: (message: ToMeasureHost) => void;
  readonly #fold = element('button', { type: 'button', class: 'fold', 'aria-controls': 'measure-form-body' });
  readonly #summary = element('span', { class: 'form-summary' });
  readonly #estimate = element('span', { class: 'estimate dim' });
  readonly #run: HTMLButtonElement;
  readonly #body = element('div', { class: 'form-body', id: 'measure-form-body' });
  readonly #models = element('ul', { class: 'model-chips', 'aria-label': l10n.t('Models') });
  readonly #addModel: HTMLButtonElement;
  readonly #workload: HTMLSelectElement;
  readonly #order: HTMLSelectElement;
  readonly #ownText = element('textarea', { id: 'own-text', rows: '4' });
  readonly #ownField = field('own-text', l10n.t('Text'), this.#ownText);
  readonly #takenField = element('div', { class: 'field taken' });
  readonly #takenName = element('span', { class: 'chip-name' });
  readonly #take: HTMLButtonElement;
  readonly #prefix = element('input', { type: 'checkbox', id: 'unique-prefix' });
  readonly #numbers = new NumberFields(() => this.#changed());
  #form: MeasureForm | undefined;
  #plan: MeasurePlanView | undefined;
  #from: TakenWorkload | undefined;
  #isRunning = false;
  #change: ReturnType<typeof setTimeout> | undefined;

  constructor(post: (message: ToMeasureHost) => void) {
    this.#post = post;
    this.#fold.append(icon('chevron-right'), this.#summary);
    this.#fold.addEventListener('click', () => (this.isOpen = !this.isOpen));
    this.#run = textButton('button', l10n.t('Run'), () => this.#send());
    this.#addModel = textButton('button secondary', l10n.t('Add Model…'), () => post({ type: 'addModel' }));
    this.#take = textButton('button secondary', '', () => {
      if (this.#from !== undefined) post({ type: 'takePrompt', from: this.#from });
    });
    const changed = () => this.#changed();
    this.#workload = select(
      'workload',
      workloads.map((each) => [each, workloadText(each)] as const),
      changed,
    );
    this.#order = select(
      'order',
      measureOrders.map((each) => [each, orderText(each)] as const),
      changed,
    );
    this.#ownText.addEventListener('input', changed);
    this.#prefix.addEventListener('change', changed);
    this.#takenField.append(this.#takenName, this.#take);
    this.#body.append(...this.#fields());
    const go = element('div', { class: 'form-go' }, this.#estimate, this.#run);
    this.element.append(element('div', { class: 'form-line' }, this.#fold, go), this.#body);
    this.isOpen = true;
  }

  get isOpen(): boolean {
    return !this.#body.hidden;
  }

  set isOpen(isOpen: boolean) {
    this.#body.hidden = !isOpen;
    this.#fold.setAttribute('aria-expanded', String(isOpen));
  }

  set(form: MeasureForm): void {
    clearTimeout(this.#change);
    this.#form = form;
    this.#workload.value = form.workload;
    this.#order.value = form.order;
    this.#prefix.checked = form.usesUniquePrefix;
    if (this.#ownText.value !== form.ownText) this.#ownText.value = form.ownText;
    this.#numbers.set(form.fields);
    this.#drawModels(form);
    this.#draw();
  }

  showPlan(plan: MeasurePlanView): void {
    this.#plan = plan;
    this.#numbers.showFaults(plan.faults);
    this.#draw();
  }

  setRunning(isRunning: boolean): void {
    if (isRunning && !this.#isRunning) this.isOpen = false;
    this.#isRunning = isRunning;
    this.#draw();
  }

  focus(): void {
    this.#run.focus();
  }

  #fields(): readonly HTMLElement[] {
    const number = (at: MeasureField, label: string, hint?: string) => this.#numbers.field(at, label, hint);
    const quick = textButton('button secondary', l10n.t('Use Quick Preset'), () => this.#post({ type: 'usePreset' }));
    quick.title = l10n.t('Takes less than a minute for each model');
    const order = field('order', l10n.t('Order'), this.#order);
    order.title = l10n.t('One after another is fair for models on the same machine');
    return [
      element(
        'div',
        { class: 'field' },
        element('span', { class: 'label' }, l10n.t('Models')),
        element('div', { class: 'model-row' }, this.#models, this.#addModel, quick),
        this.#numbers.fault('models'),
      ),
      element('div', { class: 'field-grid' }, field('workload', l10n.t('Each request asks'), this.#workload), order),
      this.#ownField,
      this.#takenField,
      this.#numbers.fault('prompt'),
      element(
        'div',
        { class: 'check', title: l10n.t("Keeps the service's prompt cache from affecting the results") },
        this.#prefix,
        element('label', { for: 'unique-prefix' }, l10n.t('Start each request with unique text')),
      ),
      element(
        'div',
        { class: 'field-grid' },
        number('concurrency', l10n.t('Requests at once'), l10n.t('For example 1, 4, 16')),
        number('repeats', l10n.t('Requests per model and load')),
        number('warmUp', l10n.t('Warm-up requests, not measured')),
        number('maxTokens', l10n.t('Max tokens of a reply')),
      ),
      group(
        l10n.t('Goodput target'),
        number('goodFirstSeconds', l10n.t('First token within (s)')),
        number('goodPerTokenMs', l10n.t('Each further token within (ms)')),
        number('goodTotalSeconds', l10n.t('Whole reply within (s)')),
      ),
      group(
        l10n.t('Limits'),
        number('limitRequests', l10n.t('Requests')),
        number('limitTokens', l10n.t('Tokens')),
        number('limitCost', l10n.t('Cost')),
        number('limitMinutes', l10n.t('Minutes')),
      ),
    ];
  }

  #drawModels(form: MeasureForm): void {
    const rows = form.models.map((model, index) =>
      element(
        'li',
        {},
        element('span', { class: 'chip-name', title: modelLabel(model.id) }, modelLabel(model.id)),
        iconButton('close', l10n.t('Remove {0}', modelLabel(model.id)), () => {
          this.set({ ...this.#read(this.#form ?? form), models: form.models.filter((_, at) => at !== index) });
          this.#changed();
          this.#addModel.focus();
        }),
      ),
    );
    this.#models.replaceChildren(...rows);
    this.#models.hidden = rows.length === 0;
  }

  #draw(): void {
    const form = this.#form;
    if (form === undefined) return;
    this.#ownField.hidden = form.workload !== 'ownText';
    this.#drawTaken(form.workload);
    setText(this.#summary, summaryOf(form));
    const estimate = this.#plan?.estimate;
    const isOverBudget = this.#plan?.isOverBudget === true;
    setText(this.#estimate, estimate === undefined ? l10n.t('Complete the form to run it') : estimateText(estimate));
    setText(this.#run, isOverBudget ? l10n.t('Run Anyway') : l10n.t('Run'));
    this.#run.title = isOverBudget ? l10n.t('This might exceed your daily budget') : '';
    this.#run.setAttribute('aria-disabled', String(estimate === undefined || this.#isRunning));
  }

  #drawTaken(workload: Workload): void {
    const from = takenWorkloads.find((each) => each === workload);
    this.#from = from;
    this.#takenField.hidden = from === undefined;
    if (from === undefined) return;
    setText(this.#takenName, this.#plan?.taken[from] ?? l10n.t('None selected'));
    setText(this.#take, from === 'promptFile' ? l10n.t('Select Prompt File…') : l10n.t('Select Request…'));
  }

  #read(form: MeasureForm): MeasureForm {
    return {
      ...form,
      workload: workloads.find((each) => each === this.#workload.value) ?? form.workload,
      order: measureOrders.find((each) => each === this.#order.value) ?? form.order,
      ownText: this.#ownText.value,
      usesUniquePrefix: this.#prefix.checked,
      fields: this.#numbers.read(form.fields),
    };
  }

  #changed(): void {
    if (this.#form === undefined) return;
    this.#form = this.#read(this.#form);
    this.#draw();
    clearTimeout(this.#change);
    this.#change = setTimeout(() => {
      if (this.#form !== undefined) this.#post({ type: 'formChanged', form: this.#form });
    }, CHANGE_DELAY_MS);
  }

  #send(): void {
    if (this.#form === undefined || this.#run.getAttribute('aria-disabled') === 'true') return;
    clearTimeout(this.#change);
    this.#post({ type: 'run', form: this.#read(this.#form) });
  }
}

function field(id: string, label: string, control: HTMLElement): HTMLElement {
  return element('div', { class: 'field' }, element('label', { for: id }, label), control);
}

function select(id: string, options: readonly (readonly [string, string])[], onChange: () => void): HTMLSelectElement {
  const made = element('select', { id });
  for (const [value, label] of options) made.append(element('option', { value }, label));
  made.addEventListener('change', onChange);
  return made;
}

function group(name: string, ...fields: readonly HTMLElement[]): HTMLElement {
  return element('fieldset', {}, element('legend', {}, name), element('div', { class: 'field-grid' }, ...fields));
}

/** `3 models · 1, 4, 16 at once · 20 of each · Short question`. */
function summaryOf({ models, fields, workload }: MeasureForm): string {
  return [
    models.length === 1 ? modelLabel(models[0]?.id ?? '') : modelsText(models.length),
    l10n.t('{0} at once', fields.concurrency.trim()),
    l10n.t('{0} of each', fields.repeats.trim()),
    workloadText(workload),
  ].join(' · ');
}

function estimateText({ requests, tokens, cost, isCostAtLeast }: NonNullable<MeasurePlanView['estimate']>): string {
  const count = requests === 1 ? l10n.t('Sends 1 request') : l10n.t('Sends {0} requests', numberText(requests));
  const costs = costText(cost, { isEstimate: cost > 0, isPartial: isCostAtLeast });
  return [count, roughTokensText(tokens), namedCost(costs)].join(' · ');
}
