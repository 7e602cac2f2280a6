import * as vscode from 'vscode';

/** What's wrong with a part of a file, or could be. */
interface Remark {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** The remark as the editor underlines it. */
export function remarkDiagnostic(
  { severity, message, from, to }: Remark,
  positionAt: (offset: number) => vscode.Position,
): vscode.Diagnostic {
  const severities = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    info: vscode.DiagnosticSeverity.Information,
  } as const;
  const range = new vscode.Range(positionAt(from), positionAt(to));
  const diagnostic = new vscode.Diagnostic(range, message, severities[severity]);
  diagnostic.source = 'Parlance';
  return diagnostic;
}
