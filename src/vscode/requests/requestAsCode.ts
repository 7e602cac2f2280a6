import type { CodeRequest } from '../../core/requests/code/codeRequest.ts';
import { asCurl } from '../../core/requests/code/curl.ts';
import { asFetch } from '../../core/requests/code/fetchScript.ts';
import { asOpenAi } from '../../core/requests/code/openAiScript.ts';
import { asPowerShell } from '../../core/requests/code/powershell.ts';
import { asPython } from '../../core/requests/code/pythonScript.ts';
import type { SentBody } from '../../core/requests/requestBody.ts';
import type { RequestOperation } from '../../core/requests/requestOperations.ts';

const forms = { curl: asCurl, powerShell: asPowerShell, fetch: asFetch, openAi: asOpenAi, python: asPython };

/** A recorded request as code that sends it. */
export function requestAsCode(
  form: keyof typeof forms,
  { operation }: { readonly operation: RequestOperation },
  { method, url, body, isKeyless }: SentBody,
  headers: Readonly<Record<string, string>> = {},
): string {
  const request: CodeRequest = {
    operation,
    method,
    url,
    ...(isRecord(body) && { body }),
    ...(isKeyless === true && { isKeyless }),
    headers,
  };
  return forms[form](request);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
