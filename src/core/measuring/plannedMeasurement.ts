import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import { type MeasureField, type MeasureFault, measureFields, type MeasureForm } from '../../shared/measuring.ts';
import { type Bounds, isWithin } from '../../shared/numberKinds.ts';
import { numberText } from '../../words/numberText.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { experimentId } from '../experiments/experimentId.ts';
import { modelFaultText } from '../experiments/modelFaultText.ts';
import { type ExperimentFault, experimentFaults, type ForecastDeps } from '../experiments/experimentForecast.ts';
import type { GoodputTarget } from '../experiments/experimentFigures.ts';
import { type Messages, workloadMessages } from './workloadMessages.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { inMs } from './measuredGroup.ts';

/** Maximum levels of concurrency in a run. A chart with more is unreadable. */
const mostLoads = 12;
const plainNumber = /^\+?(\d+([.,]\d*)?|[.,]\d+)$/;

/** Maximum models in a run: nobody reads a longer table, and each takes at least one request. */
const mostModels = 50;

/** Maximum requests in a run: each is a line on disk and a point in a chart. */
const mostRequests = 100_000;

/** The prompt of a file or a request, as it was when it was selected. */
export interface TakenPrompt {
  readonly name: string;
  readonly messages: Messages;
}

export interface MeasurementSource {
  readonly form: MeasureForm;
  /** What was selected for the form's workload. */
  readonly taken?: TakenPrompt | undefined;
  /** Host of the service that has the model. */
  readonly hostOf: (model: ModelRef) => string;
}

export interface PlannedMeasurement {
  /** Absent if there are faults. */
  readonly experiment?: Experiment;
  readonly faults: readonly MeasureFault[];
}

/** The experiment that the form describes, or what's wrong with the form. @param newId creates the run's ID */
export function plannedMeasurement(source: MeasurementSource, newId: string, deps: ForecastDeps): PlannedMeasurement {
  const { form, taken, hostOf } = source;
  const read = new FieldReader(form.fields);
  const messages = workloadMessages(form.workload, form.ownText) ?? taken?.messages;
  const limits = {
    requests: read.optional('limitRequests'),
    tokens: read.optional('limitTokens'),
    cost: read.optional('limitCost'),
    minutes: read.optional('limitMinutes'),
  };
  const target: GoodputTarget = {
    ...present('firstMs', inMs(read.optional('goodFirstSeconds'))),
    ...present('perTokenMs', read.optional('goodPerTokenMs')),
    ...present('endToEndMs', inMs(read.optional('goodTotalSeconds'))),
  };
  const maxTokens = read.optional('maxTokens');
  const experiment: Experiment = {
    id: experimentId('measurement', newId),
    kind: 'measurement',
    host: [...new Set(form.models.map(({ id }) => hostOf(id)))].toSorted().join(', '),
    prompts:
      messages === undefined
        ? []
        : [{ id: form.workload, messages: [...messages], ...(taken !== undefined && { title: taken.name }) }],
    models: form.models.map(({ id }) => ({ id, host: hostOf(id) })),
    repeats: read.needed('repeats'),
    order: form.order,
    concurrency: [...read.list('concurrency')],
    warmUp: read.optional('warmUp') ?? 0,
    hasUniquePrefix: form.usesUniquePrefix,
    // Only the figures are stored with the run. The replies are in the request history.
    keepsReplies: false,
    limits: {
      ...present('requests', limits.requests),
      ...present('tokens', limits.tokens),
      ...present('cost', limits.cost),
      ...present('minutes', limits.minutes),
    },
    ...(Object.keys(target).length > 0 && { target }),
    // The first token can only be distinguished from the last in a streamed reply.
    options: { stream: true, ...(maxTokens !== undefined && { maxTokens }) },
  };
  if (form.models.length > mostModels)
    read.faults.push({ at: 'models', text: l10n.t('At most {0} models', mostModels) });
  if (requestsOf(experiment) > mostRequests)
    read.faults.push({ at: 'repeats', text: l10n.t('At most {0} requests in all', numberText(mostRequests)) });
  if (read.faults.length > 0) return { faults: [...read.faults, ...worded(experimentFaultsOf(experiment, deps))] };
  const faults = worded(experimentFaults(experiment, deps));
  return faults.length > 0 ? { faults } : { experiment, faults };
}

/** Without listing them, which would take as long as there are many. */
function requestsOf({ models, prompts, repeats, concurrency, warmUp }: Experiment): number {
  return models.length * (warmUp + repeats * prompts.length * concurrency.length);
}

/** Numbers outside the limits would make this count up to them. */
function experimentFaultsOf(experiment: Experiment, deps: ForecastDeps): readonly ExperimentFault[] {
  return experimentFaults({ ...experiment, repeats: 1, warmUp: 0, concurrency: [1], limits: {} }, deps);
}

function worded(faults: readonly ExperimentFault[]): readonly MeasureFault[] {
  return faults.map((fault): MeasureFault => {
    switch (fault.kind) {
      case 'noModel':
        return { at: 'models', text: l10n.t('Add at least one model.') };
      case 'noPrompt':
      case 'noMessage':
        return { at: 'prompt', text: l10n.t('Enter or select what each request asks.') };
      case 'noConcurrency':
        return { at: 'concurrency', text: l10n.t('Enter how many requests run at once, for example 1, 4, 16.') };
      case 'sameModelTwice':
        return { at: 'models', text: l10n.t('{0} is listed twice.', modelLabel(fault.model)) };
      case 'cannotChat':
        return { at: 'models', text: modelFaultText(fault) };
      case 'overContextWindow':
        return { at: 'prompt', text: modelFaultText(fault) };
      case 'noPrice':
        return { at: 'limitCost', text: modelFaultText(fault) };
    }
  });
}

class FieldReader {
  readonly faults: MeasureFault[] = [];
  readonly #fields: MeasureForm['fields'];

  constructor(fields: MeasureForm['fields']) {
    this.#fields = fields;
  }

  optional(at: MeasureField): number | undefined {
    return this.#fields[at].trim() === '' ? undefined : this.needed(at);
  }

  needed(at: MeasureField): number {
    return this.#number(at, this.#fields[at]);
  }

  /** Separated by commas or spaces; each once, in ascending order. */
  list(at: MeasureField): readonly number[] {
    const typed = this.#fields[at].split(/[\s,;]+/).filter((part) => part !== '');
    if (typed.length > mostLoads) {
      this.faults.push({ at, text: l10n.t('At most {0} numbers', mostLoads) });
      return [];
    }
    const isFine = this.faults.length;
    const numbers = typed.map((part) => (this.faults.length > isFine ? 1 : this.#number(at, part)));
    return [...new Set(numbers)].toSorted((a, b) => a - b);
  }

  #number(at: MeasureField, typed: string): number {
    const trimmed = typed.trim();
    const value = plainNumber.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
    if (isWithin(value, measureFields[at])) return value;
    this.faults.push({ at, text: wanted(measureFields[at]) });
    return 1;
  }
}

function wanted({ integer, min = 0, max }: Bounds): string {
  if (integer !== true) return l10n.t('A number above 0');
  return max === undefined
    ? l10n.t('A whole number, {0} or more', min)
    : l10n.t('A whole number from {0} to {1}', min, numberText(max));
}

function present<Name extends string>(name: Name, value: number | undefined): { readonly [N in Name]?: number } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed name is any string to TypeScript
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: number };
}
