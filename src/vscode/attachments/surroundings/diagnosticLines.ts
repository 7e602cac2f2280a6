import * as vscode from 'vscode';

// Enough characters to find the line. Generated code has longer ones.
const maxCodeLength = 200;

/** A document and the selected parts of it. */
interface SelectedCode {
  readonly document: vscode.TextDocument;
  readonly ranges: readonly vscode.Range[];
}

/** The problems that touch the selection, or all of the document's without one. */
export function diagnosticsIn({ document, ranges }: SelectedCode): readonly vscode.Diagnostic[] {
  const all = vscode.languages.getDiagnostics(document.uri);
  const touching = all.filter(({ range }) => ranges.some((part) => part.intersection(range) !== undefined));
  return (ranges.length === 0 ? all : touching).toSorted((one, other) => one.range.start.compareTo(other.range.start));
}

/**
 * For example `line 8: error (ts 2322): Type 'string' is not …`, each with its line of code below, because the lines of
 * a selection have no numbers.
 */
export function diagnosticLines(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): readonly string[] {
  return diagnostics.map((diagnostic) => {
    const { line } = diagnostic.range.start;
    const code = line < document.lineCount ? document.lineAt(line).text.trim().slice(0, maxCodeLength) : '';
    return diagnosticLine(diagnostic) + (code === '' ? '' : `\n    ${code}`);
  });
}

function diagnosticLine({ range, severity, source, code, message }: vscode.Diagnostic): string {
  const kinds: Readonly<Record<vscode.DiagnosticSeverity, string>> = {
    [vscode.DiagnosticSeverity.Error]: 'error',
    [vscode.DiagnosticSeverity.Warning]: 'warning',
    [vscode.DiagnosticSeverity.Information]: 'information',
    [vscode.DiagnosticSeverity.Hint]: 'hint',
  };
  const number = typeof code === 'object' ? code.value : code;
  const origin = [source, number].filter((part) => part !== undefined && part !== '').join(' ');
  return `line ${range.start.line + 1}: ${kinds[severity]}${origin === '' ? '' : ` (${origin})`}: ${message}`;
}
