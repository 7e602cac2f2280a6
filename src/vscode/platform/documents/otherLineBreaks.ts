import * as vscode from 'vscode';

/**
 * Where offsets are after only the document's line breaks became others, which VS Code reports as an edit of the whole
 * text.
 *
 * @param before its line breaks before the event
 * @returns undefined for any other event
 */
export function otherLineBreaks(
  { document, contentChanges: [only, ...more] }: vscode.TextDocumentChangeEvent,
  before: vscode.EndOfLine,
): ((offset: number) => number) | undefined {
  if (only?.rangeOffset !== 0 || more.length > 0 || document.eol === before) return undefined;
  const text = document.getText();
  const isLonger = document.eol === vscode.EndOfLine.CRLF;
  const old = isLonger ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n');
  if (only.text !== text || only.rangeLength !== old.length) return undefined;
  return (offset) => {
    const breaks = old.slice(0, offset).split('\n').length - 1;
    return isLonger ? offset + breaks : offset - breaks;
  };
}
