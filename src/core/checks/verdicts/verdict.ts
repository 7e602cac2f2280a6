import { embeddedJson } from './embeddedJson.ts';
import type { CheckedReply, Expectation, Verdict } from '../expectation.ts';
import { jsonSchemaCheck } from './jsonSchema.ts';
import { type Finding, listFinding, parsedJson, quickVerdict, verdictFrom } from './quickVerdict.ts';

/**
 * Judges a reply by an expectation, with promptfoo's semantics. Patterns can take forever, so call this on a worker
 * thread. An llm-rubric isn't judged here, because that takes a request.
 */
export function verdictOf(expectation: Expectation, reply: CheckedReply): Verdict {
  return quickVerdict(expectation, reply) ?? verdictFrom(expectation, slowFinding(expectation, reply));
}

function slowFinding({ kind, value }: Expectation, { text }: CheckedReply): Finding {
  switch (kind) {
    case 'regex':
      return { holds: new RegExp(String(value)).test(text) };
    case 'is-json':
      return isJson(value, text);
    case 'contains-json':
      return containsJson(value, text);
    case 'contains-all':
    case 'contains-any':
    case 'icontains-all':
    case 'icontains-any':
      return listFinding(kind, value, text);
    default:
      throw new Error(`"${kind}" is judged right away`);
  }
}

function isJson(schema: unknown, text: string): Finding {
  const json = parsedJson(text);
  if ('fault' in json) return { holds: false, detail: () => json.fault };
  return schema ? conforms(schema, [json.value]) : { holds: true };
}

function containsJson(schema: unknown, text: string): Finding {
  const objects = embeddedJson(text).map(({ object }) => object);
  return schema && objects.length > 0 ? conforms(schema, objects) : { holds: objects.length > 0 };
}

/** Whether one of the values matches. */
function conforms(schema: unknown, values: readonly unknown[]): Finding {
  const check = jsonSchemaCheck(schema);
  if ('fault' in check) return { undecided: check.fault };
  let detail = '';
  for (const value of values) {
    const faults = check.faultsOf(value);
    if (faults === undefined) return { holds: true };
    detail = faults;
  }
  return { holds: false, detail: () => detail };
}
