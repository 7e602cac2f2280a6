import * as l10n from '@vscode/l10n';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { fieldsOf, type MediaParameters } from '../../shared/media.ts';
import type { RejectedField } from '../../shared/protocol/mediaProtocol.ts';
import { inline } from '../../words/inline.ts';
import { formValuesOf } from './formValues.ts';

/** The form field that the service named as wrong; undefined if it named none, or one that isn't in the form. */
export function rejectedField(failure: ApiFailure | undefined, parameters: MediaParameters): RejectedField | undefined {
  if (failure?.kind !== 'badRequest' || failure.param === undefined) return undefined;
  const { param, message } = failure;
  const row = fieldsOf(parameters.kind).find((each) =>
    each.type === 'size' ? ['width', 'height', 'size'].includes(param) : 'wire' in each && each.wire === param,
  );
  // Images and audio files have their own kind of field, which shows a file by its name.
  if (row === undefined || row.type === 'input') return undefined;
  const words = inline(message);
  return {
    field: row.name,
    value: formValuesOf(parameters).texts[row.name] ?? '',
    words: words === '' ? l10n.t('The service rejected this value.') : words,
  };
}
