import * as l10n from '@vscode/l10n';
import type { ChecksRemark } from './checksFile.ts';
import type { ChecksReading } from './checksReading.ts';
import { type Expectation, expectationNamed } from './expectation.ts';
import { expectationFault } from './expectationFaults.ts';
import { fieldOf, isNull, type Located } from './locatedYaml.ts';
import { type Filled, filledValue, notSupported, runsCode, type ValueSources } from './slotsOfValue.ts';

/** Values of `type` that would run code. */
const code = ['javascript', 'python', 'ruby', 'webhook'];
const fields = ['type', 'value', 'threshold', 'weight', 'metric', 'provider', 'description'];

export interface ReadExpectations {
  readonly expectations: readonly Expectation[];
  /** Why some of them can't be run, in words. Each has a remark at its line. */
  readonly notRun?: string;
}

/** The model for llm-rubric, or why there's none. */
export interface JudgeSources {
  /** For the whole file or case. */
  readonly judge: Filled<string>;
  /** The one that an expectation's own `provider` names. */
  readonly judgeOf: (provider: Located) => Filled<string>;
}

/**
 * Reads an `assert` list.
 *
 * @param isQuiet whether its errors have been reported already
 */
export function readExpectations(
  list: Located | undefined,
  { judge, judgeOf, ...sources }: ValueSources & JudgeSources,
  reading: ChecksReading,
  isQuiet = false,
): ReadExpectations {
  if (list === undefined || isNull(list)) return { expectations: [] };
  let notRun: string | undefined;
  const fault = (at: Located, message: string, severity: ChecksRemark['severity'] = 'error') => {
    if (!isQuiet) reading.remark(at, severity, message);
    notRun ??= message;
    return [];
  };
  if (list.items === undefined) {
    fault(list, l10n.t('Write a list here, each line beginning with "- ".'));
    return { expectations: [], ...(notRun !== undefined && { notRun }) };
  }
  const expectations = list.items.flatMap((item): readonly Expectation[] => {
    const name = fieldOf(item, 'type')?.value;
    if (name === undefined || typeof name.plain !== 'string') {
      return fault(item, l10n.t('Each expectation needs a type, for example "type: contains".'));
    }
    const known = expectationNamed(name.plain);
    if (known === undefined) {
      const base = name.plain.replace(/^not-/, '');
      return fault(name, code.includes(base) ? runsCode(name.plain) : notSupported(name.plain));
    }
    const unknown = item.fields?.find((field) => !fields.includes(field.name));
    if (unknown !== undefined) {
      return fault({ ...unknown.value, ...unknown.at }, notSupported(unknown.name));
    }
    const written = fieldOf(item, 'value')?.value;
    const filled = filledValue(written?.plain, sources);
    // Each case has its own copy of what's filled in. What's in a file is read once.
    const isFile = typeof written?.plain === 'string' && written.plain.startsWith('file://');
    reading.count(isFile || 'fault' in filled ? written?.plain : filled.value);
    if ('fault' in filled) return fault(written ?? item, filled.fault);
    const threshold = fieldOf(item, 'threshold')?.value;
    const weight = fieldOf(item, 'weight')?.value;
    const wrong = [threshold, weight].find((field) => field !== undefined && !isNumber(field.plain));
    if (wrong !== undefined) return fault(wrong, l10n.t('Enter a number, 0 or more.'));
    const why = expectationFault({
      ...known,
      value: filled.value,
      hasValue: written !== undefined,
      threshold: threshold?.plain,
    });
    if (why !== undefined) return fault(written ?? threshold ?? name, why);
    const provider = fieldOf(item, 'provider')?.value;
    const ownJudge = known.kind === 'llm-rubric' ? (provider === undefined ? judge : judgeOf(provider)) : undefined;
    if (ownJudge !== undefined && 'fault' in ownJudge) return fault(provider ?? name, ownJudge.fault);
    return [
      {
        ...known,
        ...(written !== undefined && { value: filled.value }),
        ...(typeof threshold?.plain === 'number' && { threshold: threshold.plain }),
        weight: typeof weight?.plain === 'number' ? weight.plain : 1,
        ...(ownJudge !== undefined && { judge: ownJudge.value }),
        from: item.from,
        to: item.to,
      },
    ];
  });
  return { expectations, ...(notRun !== undefined && { notRun }) };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
