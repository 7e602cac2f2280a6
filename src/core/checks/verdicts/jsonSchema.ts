import * as l10n from '@vscode/l10n';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

export type JsonSchemaCheck =
  | { readonly fault: string }
  | { readonly faultsOf: (value: unknown) => string | undefined };

const known = new Map<string, JsonSchemaCheck>();

/**
 * Checks values against a schema, which can also be text in YAML or JSON. Each schema is compiled once. The only file
 * that loads ajv, which promptfoo uses too. Patterns in a schema can take forever, so call this on a worker thread.
 */
export function jsonSchemaCheck(schema: unknown): JsonSchemaCheck {
  const key = JSON.stringify(schema);
  const check = known.get(key) ?? compiled(schema);
  known.set(key, check);
  return check;
}

function compiled(schema: unknown): JsonSchemaCheck {
  try {
    const plain: unknown = typeof schema === 'string' ? parse(schema, { logLevel: 'error' }) : schema;
    if (typeof plain !== 'boolean' && (typeof plain !== 'object' || plain === null)) {
      return { fault: l10n.t("This isn't a JSON schema.") };
    }
    // One instance each, so that two schemas with the same $id don't clash.
    const ajv = new Ajv({ strictSchema: true, logger: false });
    addFormats.default(ajv);
    const validate: ValidateFunction = ajv.compile(plain);
    return {
      faultsOf: (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'JSON' })),
    };
  } catch (error) {
    return {
      fault: l10n.t('This JSON schema has an error: {0}', error instanceof Error ? error.message : String(error)),
    };
  }
}
