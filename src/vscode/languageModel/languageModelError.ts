import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Problem } from '../../shared/problem.ts';
import { problemLine } from '../explainer.ts';

/** A failure as consumers of language models know it: its kind as VS Code's code, our words as its text. */
export function languageModelError(error: unknown, explain: (error: unknown) => Problem): Error {
  const text = problemLine(explain(error));
  return error instanceof ApiError ? ofKind(error.failure.kind, text) : new vscode.LanguageModelError(text);
}

function ofKind(kind: ApiFailure['kind'], text: string): vscode.LanguageModelError {
  switch (kind) {
    case 'setup':
    case 'unauthorized':
    case 'forbidden':
      return vscode.LanguageModelError.NoPermissions(text);
    case 'outOfCredits':
    case 'rateLimited':
      return vscode.LanguageModelError.Blocked(text);
    case 'modelNotFound':
      return vscode.LanguageModelError.NotFound(text);
    default:
      return new vscode.LanguageModelError(text);
  }
}
