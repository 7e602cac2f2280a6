import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { problemLine } from '../../shared/problem.ts';
import type { Explainer } from '../problems/explainer.ts';
import { plainEitherWay } from '../platform/plainLabel.ts';

/** A failure as consumers of language models know it: its kind as VS Code's code, our words as its text. */
export function languageModelError(error: unknown, explainer: Explainer, model?: string): Error {
  const circumstances = { during: 'command', ...(model !== undefined && { model }) } as const;
  const text = plainEitherWay(problemLine(explainer.problemOfError(error, circumstances)));
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
