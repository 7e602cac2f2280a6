import type { CodeRequest } from '../../core/requests/code/codeRequest.ts';
import { asCurl } from '../../core/requests/code/curl.ts';
import { asFetch } from '../../core/requests/code/fetchScript.ts';
import { asOpenAi } from '../../core/requests/code/openAiScript.ts';
import { asPowerShell } from '../../core/requests/code/powershell.ts';
import { asPython } from '../../core/requests/code/pythonScript.ts';
import type { SentBody } from '../../core/requests/requestBody.ts';
import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import { isRecord } from '../../shared/isRecord.ts';

const forms = { curl: asCurl, powerShell: asPowerShell, fetch: asFetch, openAi: asOpenAi, python: asPython };

/** A recorded request as code that sends it. */
export function requestAsCode(
  form: keyof typeof forms,
  { operation }: Pick<LoggedRequest, 'operation'>,
  { method, url, body, isKeyless }: SentBody,
  { keyVariable, headers }: Pick<CodeRequest, 'keyVariable' | 'headers'>,
): string {
  const code: CodeRequest = {
    operation,
    keyVariable,
    method,
    url,
    ...(isRecord(body) && { body }),
    ...(isKeyless === true && { isKeyless }),
    ...(headers !== undefined && { headers }),
  };
  return forms[form](code);
}
