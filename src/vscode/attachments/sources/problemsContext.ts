import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/problems/attachmentProblems.ts';
import { contextBlock } from '../../../core/chat/contextBlock.ts';
import type { Taken } from '../contextSnapshot.ts';
import { isSecretFile } from '../secretFile.ts';
import { nameOf, pathOf } from './documentContext.ts';

const MOST_PROBLEMS = 200;

/** The content of VS Code's Problems view, for one file or for all. Hints aren't problems. */
export function problems(uri?: vscode.Uri): readonly (readonly [vscode.Uri, vscode.Diagnostic])[] {
  const all =
    uri === undefined
      ? vscode.languages.getDiagnostics()
      : [[uri, vscode.languages.getDiagnostics(uri)] satisfies [vscode.Uri, vscode.Diagnostic[]]];
  return all
    .flatMap(([place, found]) => found.map((diagnostic) => [place, diagnostic] as const))
    .filter(([, { severity }]) => severity !== vscode.DiagnosticSeverity.Hint);
}

/** The problems of a file, or of all files if none is given, each with its line of code if the file is open. */
export async function problemsContext(uri?: vscode.Uri): Promise<Taken> {
  const found = problems(uri).toSorted(([, one], [, other]) => one.severity - other.severity);
  if (found.length === 0) return problemOfNothingToAdd('problems');
  const lines = await Promise.all(
    found.slice(0, MOST_PROBLEMS).map(([place, diagnostic]) => diagnosticText(place, diagnostic)),
  );
  if (found.length > lines.length) lines.push(`… ${found.length - lines.length} more`);
  const path = uri === undefined ? undefined : pathOf(uri);
  return {
    kind: 'problems',
    name:
      uri === undefined
        ? vscode.l10n.t('Problems ({0})', found.length)
        : vscode.l10n.t('Problems in {0} ({1})', nameOf(uri), found.length),
    detail: path === undefined ? vscode.l10n.t('Problems in all files') : vscode.l10n.t('Problems in {0}', path),
    block: contextBlock({
      heading: path === undefined ? 'Problems:' : `Problems: ${path}`,
      language: '',
      text: lines.join('\n'),
    }),
  };
}

async function diagnosticText(
  uri: vscode.Uri,
  { range, severity, source, code, message }: vscode.Diagnostic,
): Promise<string> {
  const { line, character } = range.start;
  const word = ['error', 'warning', 'info', 'hint'][severity] ?? 'error';
  const codeText = typeof code === 'object' ? String(code.value) : code === undefined ? '' : String(code);
  const origin = [source ?? '', codeText === '' ? '' : `(${codeText})`].join('');
  const head = `${pathOf(uri)}:${line + 1}:${character + 1} ${word}${origin === '' ? '' : ` ${origin}`}: ${message}`;
  // Nobody selected the files one by one, so no line of a file that might contain secrets is sent.
  const document = (await isSecretFile(uri))
    ? undefined
    : vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  const lineOfCode = document !== undefined && line < document.lineCount ? document.lineAt(line).text.trim() : '';
  return lineOfCode === '' ? head : `${head}\n    ${lineOfCode}`;
}
