import {
  type FieldName,
  type FormValues,
  type MediaInput,
  type MediaParameters,
  setFields,
} from '../../shared/media.ts';

/** The form for an earlier request, so that it can be varied. */
export function formValuesOf(parameters: MediaParameters): FormValues {
  const texts: Partial<Record<FieldName | 'model', string>> = { model: parameters.model };
  const inputs: Partial<Record<FieldName, MediaInput>> = {};
  for (const {
    row: { name },
    value,
  } of setFields(parameters)) {
    if (typeof value === 'object') inputs[name] = value;
    else texts[name] = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
  }
  return { texts, inputs };
}
